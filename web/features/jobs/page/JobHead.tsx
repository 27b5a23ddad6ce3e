import { ArrowLeft, ChevronDown, RotateCcw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { PARTS_DIFFER, settingsText } from '../../../../src/model/crawlSettings.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { parseUrl } from '../../../../src/model/parseUrl.ts';
import { FORMULA_CHANGED, NOT_JUDGED_TEXTS, SHUT_TEXT } from '../../../../src/model/scores.ts';
import { selectConnection } from '../../../api/connection.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { jobPath, paths } from '../../../ui/paths.ts';
import { NotJudged } from '../../../ui/ScoreRing.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count, etaText, hostWithoutWww } from '../../../ui/text/wording.ts';
import { ActionsButton } from '../ActionsButton.tsx';
import { CancelAudit } from '../CancelAudit.tsx';
import { isWaiting } from '../queue.ts';
import { useSteadyEta } from '../steadyEta.ts';
import { type AskToSpend, useRunAgain } from '../useRunAgain.tsx';
import { addressText } from './addressText.ts';
import { rowsOf, useGetStartQuery } from './reportApi.ts';
import { changeOf, formulaChanged, partChanged, runsOf, useListRunsQuery } from './runsApi.ts';
import { StagesTaken } from './StagesTaken.tsx';
import { TO_ROWS } from './toRows.ts';

const DeleteJobDialog = lazy(() =>
  import('../DeleteJobDialog.tsx').then((module) => ({ default: module.DeleteJobDialog })),
);

const CANCELLED = 'Canceled. You can run it again at any time.';

/** The site, what became of its audit, and the actions on the job; addresses and times are folded. */
export function JobHead({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const connection = useSelector(selectConnection);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <header>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 pr-4 pl-2 max-sm:pr-2">
        <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 text-sm text-muted max-xl:pl-2 lg:basis-96">
          <span className="flex max-w-full min-w-0 items-center gap-1 max-xl:basis-full">
            <Link
              to={paths.home}
              title="Back to All Jobs"
              className={buttonClasses('quiet', 'shrink-0 print:hidden max-xl:-ml-2 pointer-coarse:min-w-11')}
            >
              <ArrowLeft aria-hidden="true" size={16} />
              <span className="sr-only">Back to All Jobs</span>
            </Link>
            <h1 tabIndex={-1} title={job.host} className="truncate text-xl leading-8">
              {hostWithoutWww(job.host)}
            </h1>
          </span>
          {job.not_judged && <NotJudged />}
          {/* On a phone alone in its line: its text changes with each stage, and what follows would wrap. */}
          <span className="max-sm:basis-full">
            <StatusBadge status={job.status} />
          </span>
          <span>
            {job.completed_at
              ? groupOf(job.status) === 'failed'
                ? 'ended'
                : 'analyzed'
              : isWaiting(job)
                ? 'submitted'
                : 'started'}{' '}
            <RelativeTime iso={job.completed_at ?? job.created_at} />
          </span>
          {job.files.includes('pages.csv') && (
            <Link
              {...TO_ROWS}
              to={jobPath(job.id, { tab: 'pages' })}
              className="inline-flex min-h-8 items-center tabular-nums underline-offset-2 hover:underline pointer-coarse:min-h-11"
            >
              {count(job.pages_done, 'page')}
            </Link>
          )}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-control px-1.5 hover:bg-inset pointer-coarse:min-h-11 print:hidden"
          >
            Details
            <ChevronDown aria-hidden="true" size={12} className={isOpen ? 'rotate-180' : ''} />
          </button>
          <span className="flex print:hidden">
            <ConnectionIndicator {...connection} brief />
          </span>
        </div>
        <JobControls job={job} Ask={Ask} />
      </div>
      <Notes job={job} />
      {isOpen && <Details id={id} job={job} />}
    </header>
  );
}

/** What a reader has to know before the figures. */
function Notes({ job }: { job: JobView }) {
  return (
    <div className="space-y-1 px-4 md:not-empty:-mt-1 max-md:not-empty:pt-1 not-empty:pb-1.5 text-sm">
      <Verdict job={job} />
      {job.reason && <p className="max-w-[110ch]">{job.reason_code === 'CANCELLED' ? CANCELLED : job.reason}</p>}
      {job.settings && <p className="wrap-anywhere">Crawl settings: {settingsText(job.settings)}</p>}
      {job.score !== null && job.completed_at && <NotCompared job={job} />}
    </div>
  );
}

/** Why no change of the score is shown. */
function NotCompared({ job }: { job: JobView }) {
  const { data } = useListRunsQuery(runsOf(job));
  if (!data) return null;
  if (formulaChanged(data, job.id)) return <p>{FORMULA_CHANGED}</p>;
  return changeOf(data, job.id) === null && partChanged(data, job.id) ? <p>No change shown: {PARTS_DIFFER}.</p> : null;
}

function Details({ id, job }: { id: string; job: JobView }) {
  return (
    <div id={id} className="space-y-3 border-t border-line p-4">
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm wrap-anywhere">
        <Address job={job} />
        <span className="text-muted">Submitted {exactTime(job.created_at)}</span>
        {job.completed_at && <span className="text-muted">Ended {exactTime(job.completed_at)}</span>}
      </p>
      {job.completed_at && <StagesTaken job={job} />}
    </div>
  );
}

/** The one that was read: of an address without a scheme, https is only tried first. */
function Address({ job }: { job: JobView }) {
  const { data: start } = useGetStartQuery(rowsOf(job), { skip: job.completed_at === null || job.findings === null });
  const [read, submitted] = [parseUrl(start ?? job.url), parseUrl(job.url)];
  const isOverHttp = read?.protocol === 'http:' && submitted?.protocol === 'https:' && read.host === submitted.host;
  const shown = isOverHttp ? read.href : job.url;
  const link = webLink(shown);
  if (!link) return null;
  return (
    <>
      <a href={link} {...OUTSIDE} className="link font-mono pointer-coarse:touch-line">
        {addressText(shown, 200)}
      </a>
      {isOverHttp && <span className="text-muted">Read over http, since https didn’t answer.</span>}
    </>
  );
}

const GIVEN_BACK = 'This audit doesn’t count.';
const COUNTS = 'This audit counts: only the first three like it per site and day are free.';

/** Why the site was not judged, or by its robots.txt alone, and whether that counts. */
function Verdict({ job }: { job: JobView }) {
  const unlimited = useSelector(selectUnlimited);
  const text = job.not_judged ? NOT_JUDGED_TEXTS[job.not_judged] : job.shut ? SHUT_TEXT : null;
  if (text === null) return null;
  return (
    <p className="max-w-[110ch]">
      {text} {!unlimited && job.given_back !== null && (job.given_back ? GIVEN_BACK : COUNTS)}
    </p>
  );
}

/** While the texts are being written: where the finished audit has its buttons, so that nothing moves when it ends. */
function LastStages({ job: latest }: { job: JobView }) {
  const job = useSteadyEta(latest);
  return (
    <section
      aria-label={`Progress of ${job.host}`}
      // On a phone, the buttons take two lines.
      className="flex min-h-8 flex-wrap items-center gap-2 max-sm:min-h-18 max-sm:basis-full max-sm:content-start print:hidden pointer-coarse:max-sm:min-h-24"
    >
      <p className="text-sm text-muted tabular-nums max-sm:flex-1">
        {job.progress}%{job.eta && ` · ${etaText(job.eta)} to go`}
      </p>
      {job.can.cancel && <CancelAudit job={job} />}
      {/* The first items can be worked on while the last stages run. */}
      {job.action_count > 0 && <ActionsButton job={job} variant="primary" />}
    </section>
  );
}

function JobControls({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  // Navigates only if the user is still on this page.
  const { run, again, problem, question } = useRunAgain(
    Ask,
    (next) => void (here.current && navigate(jobPath(next.id))),
  );
  if (!job.can.delete) return job.files.includes('findings.json') ? <LastStages job={job} /> : null;
  const failed = groupOf(job.status) === 'failed';
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:basis-full max-sm:*:flex-1 print:hidden">
      {!failed && <ActionsButton job={job} variant="primary" />}
      <Button variant={failed ? 'primary' : 'secondary'} busy={again !== null} onClick={() => run(job)}>
        <RotateCcw aria-hidden="true" size={14} />
        Run again
      </Button>
      <Button variant="danger" onClick={() => setConfirming(true)} className="max-sm:flex-none!">
        <Trash2 aria-hidden="true" size={14} />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      {problem}
      <Suspense fallback={null}>
        {confirming && (
          <DeleteJobDialog job={job} onClose={() => setConfirming(false)} onDeleted={() => void navigate(paths.home)} />
        )}
        {question}
      </Suspense>
    </div>
  );
}
