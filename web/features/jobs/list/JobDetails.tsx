import { Suspense, useState } from 'react';
import { useSelector } from 'react-redux';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { Button } from '../../../ui/Button.tsx';
import { pagesText, statusLabel } from '../../../ui/jobs/jobStatus.ts';
import { StageList } from '../../../ui/jobs/StageList.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { etaText } from '../../../ui/text/wording.ts';
import { useSteadyEta } from '../steadyEta.ts';
import { usePlace } from '../usePlace.ts';
import { QueuePlace } from './QueuePlace.tsx';

const CancelJobDialog = lazily(() => import('../CancelJobDialog.tsx'), 'CancelJobDialog');

interface JobDetailsProps {
  job: JobView;
  id: string;
  /** With a separate progress bar for pages. */
  pages?: boolean;
}

/** Progress of a running audit, and the button that cancels it. */
export function JobDetails({ job: latest, id, pages = false }: JobDetailsProps) {
  const job = useSteadyEta(latest);
  const ahead = usePlace(job);
  const unlimited = useSelector(selectUnlimited);
  const [asking, setAsking] = useState(false);
  const facts = [
    `${job.progress}%`,
    pages ? '' : pagesText(job),
    job.reason ?? '',
    job.eta ? `${etaText(job.eta)} to go` : '',
  ].filter(Boolean);
  return (
    <section id={id} aria-label={`Progress of ${job.host}`} className="rounded-control border border-line bg-page p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-strong">{statusLabel(job.status)}</p>
        <p className="text-sm text-muted tabular-nums">
          {ahead === null ? facts.join(' · ') : <QueuePlace job={job} ahead={ahead} />}
        </p>
      </div>
      <progress
        max={100}
        value={job.progress}
        aria-label={`Progress of ${job.host}`}
        aria-valuetext={`${job.progress}%, ${statusLabel(job.status)}`}
        className="mt-2"
      />
      {pages && job.pages_known > 0 && (
        <div className="mt-3 flex items-center gap-3 text-sm text-muted">
          <span className="whitespace-nowrap tabular-nums">{pagesText(job)} read</span>
          <progress
            max={job.pages_known}
            value={job.pages_done}
            aria-label={`Pages of ${job.host} read`}
            className="text-good"
          />
        </div>
      )}
      <StageList stages={job.stages} />
      {job.can.cancel && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button variant="danger" onClick={() => setAsking(true)} className="-ml-2">
            Cancel audit
          </Button>
          {!unlimited && (
            <span className="text-sm text-muted">
              Canceled before the first findings, an audit isn’t counted (up to 10 a day).
            </span>
          )}
          {asking && (
            <Suspense fallback={null}>
              <CancelJobDialog job={job} onClose={() => setAsking(false)} />
            </Suspense>
          )}
        </div>
      )}
    </section>
  );
}
