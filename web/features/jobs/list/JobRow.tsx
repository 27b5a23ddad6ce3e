import { ChevronDown, FileText, RotateCcw, Trash2 } from 'lucide-react';
import { memo, Suspense } from 'react';
import { Link, type To } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { pagesText } from '../../../ui/jobs/jobStatus.ts';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { jobPath } from '../../../ui/paths.ts';
import { ScoreRing } from '../../../ui/ScoreRing.tsx';
import { Loading } from '../../../ui/Spinner.tsx';
import { ROLES } from '../../../ui/tableRoles.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, cutMiddle, etaText, hostWithoutWww } from '../../../ui/text/wording.ts';
import { ActionsButton } from '../ActionsButton.tsx';
import { useSteadyEta } from '../steadyEta.ts';
import { QueuePlace } from './QueuePlace.tsx';

const JobDetails = lazily(() => import('./JobDetails.tsx'), 'JobDetails');

interface JobRowProps {
  job: JobView;
  /** The user's own jobs ahead of it; null when it is not queued. */
  ahead: number | null;
  open: boolean;
  onToggle: (id: string) => void;
  onDelete: (job: JobView) => void;
  onRunAgain: (job: JobView) => void;
  /** It is being resubmitted. */
  again: boolean;
  reportLink: (id: string) => To;
}

/** What fits beside the other columns, with the host on two lines; both ends stay readable. */
const HOST_LENGTH = 44;
const PATH_LENGTH = 32;

export const JobRow = memo(function JobRow({ job: latest, ahead, open, onToggle, reportLink, ...controls }: JobRowProps) {
  const job = useSteadyEta(latest);
  const detailsId = `details-${job.id}`;
  const running = groupOf(job.status) === 'processing';
  const host = hostWithoutWww(job.host);
  return (
    <>
      <tr {...ROLES.row} data-row={job.id} className="job-row border-t border-line px-4 py-2">
        <td {...ROLES.cell} className="min-w-0">
          <Link
            to={jobPath(job.id)}
            className="line-clamp-2 font-medium text-strong underline-offset-2 [overflow-wrap:anywhere] hover:underline pointer-coarse:min-h-11 pointer-coarse:[-webkit-box-pack:center]"
            title={job.url}
          >
            {cutMiddle(host, HOST_LENGTH)}
          </Link>
          <PathOf url={job.url} />
        </td>
        <td {...ROLES.cell} className="min-w-0">
          <Outcome job={job} ahead={ahead} running={running} />
        </td>
        <td {...ROLES.cell} className="text-sm whitespace-nowrap text-muted">
          <RelativeTime iso={job.created_at} />
        </td>
        <td {...ROLES.cell} className="-mx-2 flex flex-wrap items-center">
          {running ? (
            <>
              <Button variant="quiet" aria-expanded={open} aria-controls={open ? detailsId : undefined} onClick={() => onToggle(job.id)}>
                Details <span className="sr-only">of {host}</span>
                <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
              </Button>
              {job.files.length > 0 && (
                <Link to={jobPath(job.id)} className={buttonClasses('quiet', 'text-accent')}>
                  Results so far <span className="sr-only">of {host}</span>
                </Link>
              )}
            </>
          ) : (
            <FinishedActions job={job} host={host} reportLink={reportLink} {...controls} />
          )}
        </td>
      </tr>
      {running && open && (
        <tr {...ROLES.row} className="block px-4 pb-4">
          <td {...ROLES.cell} className="block">
            <Suspense fallback={<Loading />}>
              <JobDetails job={job} id={detailsId} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  );
});

function PathOf({ url }: { url: string }) {
  const path = URL.canParse(url) ? readableText(new URL(url).pathname + new URL(url).search) : '';
  return path.length > 1 ? <span className="block truncate font-mono text-xs text-muted">{cutMiddle(path, PATH_LENGTH)}</span> : null;
}

function Outcome({ job, ahead, running }: { job: JobView; ahead: number | null; running: boolean }) {
  if (running) {
    const facts = [`${job.progress}%`, pagesText(job), job.eta ? etaText(job.eta) : ''].filter(Boolean).join(' · ');
    return (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge status={job.status} />
        <span className="text-sm text-muted tabular-nums">{ahead === null ? facts : <QueuePlace job={job} ahead={ahead} />}</span>
      </div>
    );
  }
  return (
    <div className="flex items-center gap-2">
      {job.score !== null && (
        // The score's explanation. Keyboard users reach the same page through the host's link.
        <Link to={jobPath(job.id)} tabIndex={-1} title="Why this score">
          <ScoreRing score={job.score} />
        </Link>
      )}
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusBadge status={job.status} />
          {job.findings !== null && (
            <Link
              to={jobPath(job.id, { tab: 'findings' })}
              className="text-sm text-muted tabular-nums underline-offset-2 hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              {count(job.findings, 'finding')} <span className="sr-only">of {hostWithoutWww(job.host)}</span>
            </Link>
          )}
        </div>
        {job.reason && <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]">{job.reason}</p>}
      </div>
    </div>
  );
}

type FinishedActionsProps = { job: JobView; host: string } & Pick<JobRowProps, 'onDelete' | 'onRunAgain' | 'again' | 'reportLink'>;

function FinishedActions({ job, host, onDelete, onRunAgain, again, reportLink }: FinishedActionsProps) {
  const failed = groupOf(job.status) === 'failed';
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
            busy={again}
            aria-label={`Run ${host} again`}
            title="Run again"
            onClick={() => onRunAgain(job)}
            className="min-w-8 pointer-coarse:min-w-11"
          >
            {!again && <RotateCcw aria-hidden="true" size={14} />}
            {failed && 'Run again'}
          </Button>
          <Button variant="quiet" aria-label={`Delete ${host}`} title="Delete" onClick={() => onDelete(job)} className="min-w-8 pointer-coarse:min-w-11">
            <Trash2 aria-hidden="true" size={14} />
          </Button>
        </>
      )}
    </>
  );
}
