import { FileText } from 'lucide-react';
import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../src/model/jobs.ts';
import { NOT_JUDGED_TEXTS } from '../../../src/model/scores.ts';
import { selectConnection } from '../../api/connection.ts';
import { selectStatus } from '../../api/system.ts';
import { OwnActions } from '../../features/actions/OwnActions.tsx';
import { useListAnalysesQuery } from '../../features/analyses/analysesApi.ts';
import { currentOf } from '../../features/analyses/currentAnalysis.ts';
import { useListJobsQuery } from '../../features/jobs/jobsApi.ts';
import { JobDetails } from '../../features/jobs/list/JobDetails.tsx';
import { buttonClasses } from '../../ui/Button.tsx';
import { ConnectionIndicator } from '../../ui/ConnectionIndicator.tsx';
import { Drafts } from '../../ui/form/draft.ts';
import { StatusBadge } from '../../ui/jobs/StatusBadge.tsx';
import { lazily } from '../../ui/lazily.ts';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { reportSearch } from '../../ui/paths.ts';
import { NotJudged, ScoreRing } from '../../ui/ScoreRing.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { count, hostWithoutWww } from '../../ui/text/wording.ts';
import { AnalysisTools } from '../AnalysisTools.tsx';
import { UnlockButton } from '../buying/UnlockButton.tsx';

import { useTabDrafts } from './tabDrafts.ts';

const ReportInAddress = lazily(() => import('../ReportInAddress.tsx'), 'ReportInAddress');

export function ActionsPage() {
  const [search] = useSearchParams();
  const drafts = useTabDrafts();
  const { data } = useListJobsQuery();
  const status = useSelector(selectStatus);
  const unlocks = status !== null && (status.unlimited || status.payments !== 'off');
  const { data: analyses = [] } = useListAnalysesQuery();
  const current = currentOf(analyses, search);
  const job = data?.jobs[search.get('jobId') ?? current?.jobId ?? ''] ?? null;
  const host = hostWithoutWww(job?.host ?? current?.domain ?? search.get('domain') ?? '');
  usePageTitle(host ? `Actions for ${host}` : 'Actions');
  return (
    <div className="space-y-4">
      <ActionsHeader job={job} host={host} search={search} small={search.has('actionId')} />
      <Drafts value={drafts}>
        <OwnActions
          site={host}
          version={job ? `${job.action_generation_status} ${job.status} ${job.access}` : undefined}
          waiting={job ? <Waiting job={job} /> : null}
          unlock={unlocks ? unlockButton : undefined}
        />
      </Drafts>
      {search.has('report') && (
        <Suspense fallback={null}>
          <ReportInAddress />
        </Suspense>
      )}
    </div>
  );
}

const unlockButton = (jobId: string, total: number) => <UnlockButton jobId={jobId} total={total} />;

interface ActionsHeaderProps {
  job: JobView | null;
  host: string;
  search: URLSearchParams;
  /** Beside a single task the site is less prominent. */
  small: boolean;
}

function ActionsHeader({ job, host, search, small }: ActionsHeaderProps) {
  const connection = useSelector(selectConnection);
  return (
    <header>
      <div className="print:hidden">
        <AnalysisTools />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3">
        {job && job.score !== null && <ScoreRing score={job.score} size={small ? 32 : 56} word={!small} />}
        {job?.not_judged && <NotJudged size={small ? 32 : 56} />}
        <div className="min-w-0 flex-1 max-sm:basis-56">
          <h1 tabIndex={-1} className={`wrap-anywhere ${small ? 'text-lg' : 'text-xl sm:text-2xl'}`}>
            {host || 'Action items'}
          </h1>
          {job && !small && (
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
              <StatusBadge status={job.status} />
              <span>
                {job.completed_at ? 'analyzed' : 'started'} <RelativeTime iso={job.completed_at ?? job.created_at} />
              </span>
              {job.completed_at && job.pages_done > 0 && (
                <span className="tabular-nums">{count(job.pages_done, 'page')}</span>
              )}
            </p>
          )}
        </div>
        <span className="whitespace-nowrap max-sm:flex-1 print:hidden">
          <ConnectionIndicator {...connection} />
        </span>
        {job && job.files.length > 0 && (
          <Link
            to={{ search: `?${reportSearch(search, job.id)}` }}
            className={buttonClasses('secondary', 'print:hidden')}
          >
            <FileText aria-hidden="true" size={14} />
            Open report
          </Link>
        )}
      </div>
      {!small && job?.not_judged && <p className="mt-2 text-sm text-muted">{NOT_JUDGED_TEXTS[job.not_judged]}</p>}
      {!small && job?.reason && groupOf(job.status) === 'completed' && (
        <p className="mt-2 text-sm text-muted">{job.reason}</p>
      )}
    </header>
  );
}

/** Why there are no items yet. */
function Waiting({ job }: { job: JobView }) {
  const group = groupOf(job.status);
  if (group === 'processing') {
    return (
      <section aria-label="Audit in progress" className="space-y-3">
        <p>Action items appear here as soon as they are ready.</p>
        <JobDetails job={job} id="waiting-details" />
      </section>
    );
  }
  return group === 'failed' ? <p className="panel px-4 py-12 text-center">{failureText(job)}</p> : null;
}

function failureText({ reason, reason_code: code }: JobView): string {
  if (code === 'CANCELLED') return 'This audit was canceled before it had action items.';
  return `This audit failed${reason ? `: ${reason}` : '.'}`;
}
