import { Check } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { pagesText, statusLabel } from '../../../ui/jobs/jobStatus.ts';
import { Status } from '../../../ui/text/Status.tsx';
import { count, etaText } from '../../../ui/text/wording.ts';
import { CancelAudit } from '../CancelAudit.tsx';
import { QueuePlace } from '../list/QueuePlace.tsx';
import { commonOrigin } from '../page/addressText.ts';
import { isWaiting } from '../queue.ts';
import { useSteadyEta } from '../steadyEta.ts';
import { usePlace } from '../usePlace.ts';
import { FeedCounters } from './FeedCounters.tsx';
import { FeedList } from './FeedList.tsx';
import { chosenIn, OBSERVATION_NAMES } from './feedWords.ts';
import { useFeed, type WatchedFeed } from './useFeed.ts';

/** The status while pages are read. */
const READING = 'executing_parallel_streams';

/** An audit under way that has no result yet: how far it is, and what it reads. */
export function LiveView({ job: latest }: { job: JobView }) {
  const job = useSteadyEta(latest);
  const isReading = job.stages.some(({ status, state }) => status === READING && state !== 'done');
  return (
    <section aria-label={`Progress of ${job.host}`} className="panel">
      <div className="space-y-2 px-4 pt-3 pb-2">
        <HowFar job={job} />
        <Stages job={job} />
      </div>
      {isWaiting(job) ? (
        <p className="border-t border-line px-4 py-12 text-center text-muted">
          The URLs it reads appear here as soon as it begins.
        </p>
      ) : (
        <Reading key={job.id} job={job} isReading={isReading} />
      )}
    </section>
  );
}

function HowFar({ job }: { job: JobView }) {
  const ahead = usePlace(job);
  const pages = pagesText(job);
  // The bar beside it is that of the pages.
  const facts = [`${job.progress}% of the audit`, job.reason ?? '', job.eta ? `${etaText(job.eta)} to go` : ''];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="font-medium text-strong tabular-nums max-sm:basis-full">
          {pages ? `${pages} read` : statusLabel(job.status)}
        </p>
        <div className="flex flex-wrap items-center gap-x-2 max-sm:grow max-sm:justify-between">
          <p className="text-sm text-muted tabular-nums">
            {ahead === null ? facts.filter(Boolean).join(' · ') : <QueuePlace job={job} ahead={ahead} />}
          </p>
          {job.can.cancel && <CancelAudit job={job} className="-mr-2" />}
        </div>
      </div>
      <progress
        max={Math.max(1, job.pages_known)}
        value={job.pages_done}
        aria-label={`Pages of ${job.host} read`}
        aria-valuetext={pages || 'None yet'}
      />
    </>
  );
}

const STAGE_TEXTS = { done: 'text-normal', running: 'font-medium text-strong', waiting: 'text-muted' };

/** On a phone, the head’s badge alone shows the stage. */
function Stages({ job }: { job: JobView }) {
  return (
    <ol aria-label="Stages" className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs max-sm:sr-only">
      {job.stages.map(({ step, label, state }) => (
        <li key={step} aria-current={state === 'running' ? 'step' : undefined} className={STAGE_TEXTS[state]}>
          {state === 'done' && <Check aria-hidden="true" size={12} strokeWidth={3} className="mr-1 inline text-good" />}
          {label}
          <span className="sr-only">, {state}</span>
        </li>
      ))}
    </ol>
  );
}

function Reading({ job, isReading }: { job: JobView; isReading: boolean }) {
  const [search] = useSearchParams();
  const watched = useFeed(job.id, isReading);
  const { feed, state } = watched;
  const chosen = chosenIn(search);
  // Of what was read: an address without a scheme may be read over http.
  const origin = useMemo(() => commonOrigin(feed.rows.map(({ url }) => url)), [feed.rows]);
  return (
    <>
      <FeedCounters counts={feed.counts} chosen={chosen} />
      <FeedList
        feed={feed}
        chosen={chosen}
        isLost={state === 'lost'}
        origin={origin}
        empty={emptyText(watched, isReading, chosen === null ? null : OBSERVATION_NAMES[chosen])}
      />
      <CountsAnnouncer all={feed.counts.all} />
    </>
  );
}

function emptyText({ feed, state }: WatchedFeed, isReading: boolean, filter: string | null): string {
  if (state === 'loading') return 'Loading…';
  if (filter !== null && feed.rows.length > 0) return `None of the URLs read last: ${filter}.`;
  return isReading ? 'The first URLs appear here in a moment.' : 'Everything was read. The result follows.';
}

const SAY_EVERY_MS = 10_000;

/** Tells screen readers now and then how many there are, never each of them. */
function CountsAnnouncer({ all }: { all: number }) {
  const [said, say] = useState(0);
  const newest = useRef(all);
  newest.current = all;
  useEffect(() => {
    const timer = setInterval(() => say(newest.current), SAY_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return <Status>{said > 0 && `${count(said, 'URL')} read`}</Status>;
}
