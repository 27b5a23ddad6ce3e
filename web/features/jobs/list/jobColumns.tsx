import { ChevronDown, FileText, RotateCcw, Trash2 } from 'lucide-react';
import { createContext, useContext } from 'react';
import { Link, type To } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { settingsText } from '../../../../src/model/crawlSettings.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { NOT_JUDGED_TEXTS } from '../../../../src/model/scores.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { pagesText } from '../../../ui/jobs/jobStatus.ts';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { NotJudged, ScoreRing } from '../../../ui/ScoreRing.tsx';
import type { Column, RowState } from '../../../ui/table/column.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, cutMiddle, etaText, hostWithoutWww } from '../../../ui/text/wording.ts';
import { ActionsButton } from '../ActionsButton.tsx';
import { useSteadyEta } from '../steadyEta.ts';
import { QueuePlace } from './QueuePlace.tsx';

/** For each queued job, by its id, the number of the user's own jobs ahead of it. */
export const Places = createContext<ReadonlyMap<string, number>>(new Map());

export interface JobActions {
  readonly onDelete: (job: JobView) => void;
  readonly onRunAgain: (job: JobView) => void;
  /** The job that is being resubmitted. */
  readonly again: string | null;
  readonly reportLink: (id: string) => To;
}

/** What fits beside the other columns, with the host on two lines; both ends stay readable. */
const HOST_LENGTH = 44;
const PATH_LENGTH = 32;

const isRunning = (job: JobView): boolean => groupOf(job.status) === 'processing';

export const jobColumns = (actions: JobActions): readonly Column<JobView>[] => [
  {
    id: 'website',
    name: 'Website',
    width: 'minmax(0, 1.1fr)',
    sorts: true,
    className: 'cards:[grid-area:site]',
    cell: (job) => <Site job={job} />,
  },
  {
    id: 'status',
    name: 'Status',
    width: 'minmax(0, 1.5fr)',
    sorts: true,
    className: 'cards:[grid-area:status]',
    cell: (job) => <Outcome job={job} />,
  },
  {
    id: 'date',
    name: 'Date',
    width: '104px',
    sorts: true,
    className: 'text-sm whitespace-nowrap text-muted cards:text-right cards:[grid-area:date]',
    cell: (job) => <RelativeTime iso={job.created_at} />,
  },
  {
    id: 'actions',
    name: 'Actions',
    width: '304px',
    end: true,
    className: '-mx-2 flex flex-wrap items-center @min-[540px]:justify-end cards:[grid-area:actions]',
    cell: (job, row) =>
      isRunning(job) ? <RunningActions job={job} row={row} /> : <FinishedActions job={job} {...actions} />,
  },
];

function Site({ job: { id, host, url, settings } }: { job: JobView }) {
  const path = URL.canParse(url) ? readableText(new URL(url).pathname + new URL(url).search) : '';
  return (
    <>
      <Link
        to={jobPath(id)}
        className="line-clamp-2 font-medium text-strong underline-offset-2 wrap-anywhere hover:underline pointer-coarse:min-h-11 pointer-coarse:[-webkit-box-pack:center]"
        title={url}
      >
        {cutMiddle(hostWithoutWww(host), HOST_LENGTH)}
      </Link>
      {path.length > 1 && (
        <span className="block truncate font-mono text-xs text-muted">{cutMiddle(path, PATH_LENGTH)}</span>
      )}
      {settings && (
        <span className="block truncate text-xs text-muted" title={settingsText(settings)}>
          {settingsText(settings)}
        </span>
      )}
    </>
  );
}

function Outcome({ job }: { job: JobView }) {
  if (isRunning(job)) return <Progress job={job} />;
  return (
    <div className="flex items-center gap-2">
      {job.score !== null && (
        // The score's explanation. Keyboard users reach the same page through the host's link.
        <Link to={jobPath(job.id)} tabIndex={-1} title="Why this score">
          <ScoreRing score={job.score} />
        </Link>
      )}
      {job.not_judged && <NotJudged />}
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusBadge status={job.status} />
          {job.findings !== null && (
            <Link
              to={jobPath(job.id, { tab: 'findings' })}
              className="text-sm text-muted tabular-nums underline-offset-2 hover:underline pointer-coarse:touch-line"
            >
              {count(job.findings, 'finding')} <span className="sr-only">of {hostWithoutWww(job.host)}</span>
            </Link>
          )}
        </div>
        {job.not_judged && <p className="mt-1 text-sm text-muted">{NOT_JUDGED_TEXTS[job.not_judged]}</p>}
        {job.reason && <p className="mt-1 text-sm text-muted wrap-anywhere">{job.reason}</p>}
      </div>
    </div>
  );
}

function Progress({ job: latest }: { job: JobView }) {
  const job = useSteadyEta(latest);
  const ahead = useContext(Places).get(job.id) ?? null;
  const facts = [`${job.progress}%`, pagesText(job), job.reason ?? '', job.eta ? etaText(job.eta) : '']
    .filter(Boolean)
    .join(' · ');
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge status={job.status} />
      <span className="text-sm text-muted tabular-nums">
        {ahead === null ? facts : <QueuePlace job={job} ahead={ahead} />}
      </span>
    </div>
  );
}

function RunningActions({ job, row: { open, onToggle, detailId } }: { job: JobView; row: RowState }) {
  const host = hostWithoutWww(job.host);
  return (
    <>
      <Button variant="quiet" aria-expanded={open} aria-controls={open ? detailId : undefined} onClick={onToggle}>
        Details <span className="sr-only">of {host}</span>
        <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
      </Button>
      {job.files.length > 0 && (
        <Link to={jobPath(job.id)} className={buttonClasses('quiet', 'text-accent')}>
          Results so far <span className="sr-only">of {host}</span>
        </Link>
      )}
    </>
  );
}

function FinishedActions({ job, onDelete, onRunAgain, again, reportLink }: JobActions & { job: JobView }) {
  const host = hostWithoutWww(job.host);
  const failed = groupOf(job.status) === 'failed';
  const busy = again === job.id;
  return (
    <>
      {job.files.length > 0 && (
        <Link to={reportLink(job.id)} className={buttonClasses('quiet')}>
          <FileText aria-hidden="true" size={14} />
          Report <span className="sr-only">of {host}</span>
        </Link>
      )}
      {(!failed || job.action_count > 0) && <ActionsButton job={job} />}
      {job.can.delete && (
        <>
          <Button
            variant="quiet"
            busy={busy}
            aria-label={`Run ${host} again`}
            title="Run again"
            onClick={() => onRunAgain(job)}
            className="min-w-8 pointer-coarse:min-w-11"
          >
            {!busy && <RotateCcw aria-hidden="true" size={14} />}
            {failed && 'Run again'}
          </Button>
          <Button
            variant="quiet"
            aria-label={`Delete ${host}`}
            title="Delete"
            onClick={() => onDelete(job)}
            className="min-w-8 pointer-coarse:min-w-11"
          >
            <Trash2 aria-hidden="true" size={14} />
          </Button>
        </>
      )}
    </>
  );
}
