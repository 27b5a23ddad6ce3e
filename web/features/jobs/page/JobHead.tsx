import { ArrowDown, ArrowLeft, ArrowUp, Equal, RotateCcw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { PARTS_DIFFER, settingsText } from '../../../../src/model/crawlSettings.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { FORMULA_CHANGED, NOT_JUDGED_TEXTS, SHUT_TEXT } from '../../../../src/model/scores.ts';
import { selectConnection } from '../../../api/connection.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { jobPath, paths } from '../../../ui/paths.ts';
import { NotJudged, ScoreRing } from '../../../ui/ScoreRing.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, hostWithoutWww } from '../../../ui/text/wording.ts';
import { ActionsButton } from '../ActionsButton.tsx';
import { isWaiting } from '../queue.ts';
import { type AskToSpend, useRunAgain } from '../useRunAgain.tsx';
import { addressText } from './addressText.ts';
import { changeOf, formulaChanged, partChanged, runsOf, useListRunsQuery } from './runsApi.ts';
import { TO_ROWS } from './toRows.ts';

const DeleteJobDialog = lazy(() =>
  import('../DeleteJobDialog.tsx').then((module) => ({ default: module.DeleteJobDialog })),
);

const CANCELLED = 'Cancelled. It can be run again at any time.';

/** The site, its score and the actions on the job. */
export function JobHead({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const connection = useSelector(selectConnection);
  const url = webLink(job.url);
  return (
    <header>
      <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
        <Link to={paths.home} className={buttonClasses('quiet', '-ml-2')}>
          <ArrowLeft aria-hidden="true" size={14} />
          Back to All Jobs
        </Link>
        <ConnectionIndicator {...connection} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-3">
        {job.score !== null && <ScoreRing score={job.score} size={80} />}
        {job.not_judged && <NotJudged size={80} />}
        <div className="min-w-0 flex-1 basis-44 sm:basis-64">
          <h1 tabIndex={-1} title={job.host} className="line-clamp-3 text-xl wrap-anywhere sm:text-2xl">
            {hostWithoutWww(job.host)}
          </h1>
          {url && (
            <a
              href={url}
              title={job.url}
              {...OUTSIDE}
              className="font-mono text-sm text-muted underline-offset-2 wrap-anywhere hover:underline"
            >
              {addressText(job.url, 60)}
            </a>
          )}
          {job.settings && <p className="text-sm wrap-anywhere">Crawl settings: {settingsText(job.settings)}</p>}
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StatusBadge status={job.status} />
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
            {job.completed_at && job.files.includes('pages.csv') && (
              <Link
                {...TO_ROWS}
                to={jobPath(job.id, { tab: 'pages' })}
                className="tabular-nums underline-offset-2 hover:underline"
              >
                {count(job.pages_done, 'page')}
              </Link>
            )}
            {job.score !== null && job.completed_at && <Change job={job} />}
          </p>
        </div>
        <JobControls job={job} Ask={Ask} />
      </div>
      <Verdict job={job} />
      {job.reason && <p className="mt-3 max-w-[70ch]">{job.reason_code === 'CANCELLED' ? CANCELLED : job.reason}</p>}
    </header>
  );
}

const GIVEN_BACK = 'This audit was given back: it doesn’t count.';
const COUNTS = 'This audit counts: only the first three such audits of a site in a day are given back.';

/** Why the site was not judged, or by its robots.txt alone, and whether that counts. */
function Verdict({ job }: { job: JobView }) {
  const unlimited = useSelector(selectUnlimited);
  const text = job.not_judged ? NOT_JUDGED_TEXTS[job.not_judged] : job.shut ? SHUT_TEXT : null;
  if (text === null) return null;
  return (
    <p className="mt-3 max-w-[70ch]">
      {text} {!unlimited && job.given_back !== null && (job.given_back ? GIVEN_BACK : COUNTS)}
    </p>
  );
}

/** Shown only for comparable scores; else whether the formula has changed since the last audit. */
function Change({ job }: { job: JobView }) {
  const { data } = useListRunsQuery(runsOf(job));
  const change = data && changeOf(data, job.id);
  if (data && formulaChanged(data, job.id)) return <span>{FORMULA_CHANGED}</span>;
  if (!change) return data && partChanged(data, job.id) ? <span>no change shown: {PARTS_DIFFER}</span> : null;
  const { points, run } = change;
  const Icon = points > 0 ? ArrowUp : points < 0 ? ArrowDown : Equal;
  return (
    <Link
      {...TO_ROWS}
      to={jobPath(job.id, { tab: 'compare', with: run.jobId })}
      className={`inline-flex items-center gap-1 underline-offset-2 hover:underline ${points > 0 ? 'text-good' : points < 0 ? 'text-bad' : ''}`}
    >
      <Icon aria-hidden="true" size={14} />
      <span className="tabular-nums">
        {points === 0 ? 'unchanged' : `${Math.abs(points)} ${points > 0 ? 'up' : 'down'}`} since{' '}
        <RelativeTime iso={run.at} />
      </span>
    </Link>
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
  if (!job.can.delete) {
    // The first items can be worked on while the last stages run.
    return job.action_count > 0 ? <ActionsButton job={job} variant="primary" /> : null;
  }
  const failed = groupOf(job.status) === 'failed';
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      {!failed && <ActionsButton job={job} variant="primary" />}
      <Button variant={failed ? 'primary' : 'secondary'} busy={again !== null} onClick={() => run(job)}>
        <RotateCcw aria-hidden="true" size={14} />
        Run again
      </Button>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden="true" size={14} />
        Delete
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
