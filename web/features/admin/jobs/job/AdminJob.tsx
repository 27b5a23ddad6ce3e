import { ArrowLeft, History } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { AdminJobResponse } from '../../../../../src/http/contract/admin/jobs.ts';
import { adminHistoryPath, adminPaths, adminUserPath } from '../../../../ui/adminPaths.ts';
import { buttonClasses } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { pagesText } from '../../../../ui/jobs/jobStatus.ts';
import { StageList } from '../../../../ui/jobs/StageList.tsx';
import { StatusBadge } from '../../../../ui/jobs/StatusBadge.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { usePageTitle } from '../../../../ui/pageTitle.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { exactTime } from '../../../../ui/text/time.ts';
import { hostWithoutWww } from '../../../../ui/text/wording.ts';
import { AdminAnswer } from '../../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../../adminPolling.ts';
import { useGetAnyJobQuery } from '../adminJobsApi.ts';
import { useLiveJob } from '../useLiveJobs.ts';
import { AnyReport } from './AnyReport.tsx';
import { JobControls } from './JobControls.tsx';
import { JobEvents } from './JobEvents.tsx';
import { JobFacts } from './JobFacts.tsx';

type Shown = AdminJobResponse['data'];

const failure = (status: number): string =>
  status === 404 ? 'There is no such job. It may have been deleted.' : `Failed to fetch the job: ${status}`;

/** Any user's job, with details that its owner does not see. */
export function AdminJob({ jobId }: { jobId: string }) {
  const query = useGetAnyJobQuery(jobId, ADMIN_POLLING);
  usePageTitle(query.currentData ? `Job of ${hostWithoutWww(query.currentData.job.host)}` : 'Job');
  return (
    <div className="space-y-4">
      <Link to={adminPaths.jobs} className={buttonClasses('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        All jobs
      </Link>
      <AdminAnswer query={{ ...query, data: query.currentData }} title="Failed to load the job" textOf={failure}>
        {(shown) => <Job shown={shown} />}
      </AdminAnswer>
    </div>
  );
}

function Job({ shown }: { shown: Shown }) {
  const { job, own, owner, report } = shown;
  useLiveJob(job);
  const whose = owner.email ?? 'a deleted account';
  return (
    <>
      {!own && (
        <Notice tone="info" className="wrap-anywhere" title={`You are viewing a job of ${whose} as an admin`}>
          <p>Read-only. Your visit is logged.</p>
        </Notice>
      )}
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 space-y-1">
          <h1 className="text-xl wrap-anywhere sm:text-2xl">{hostWithoutWww(job.host)}</h1>
          <p className="font-mono text-sm text-muted wrap-anywhere">{job.url}</p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StatusBadge status={job.status} />
            {job.completed_at === null && (
              <span className="tabular-nums">{[`${job.progress}%`, pagesText(job)].filter(Boolean).join(' · ')}</span>
            )}
            <Owner shown={shown} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <JobControls shown={shown} />
          <Link to={adminHistoryPath(`job-${job.id}`)} className={buttonClasses('secondary')}>
            <History aria-hidden="true" size={14} />
            Full history
          </Link>
        </div>
      </header>
      {job.reason && <p className="max-w-[70ch]">{job.reason}</p>}
      <Card title="Stages">
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
          <Time name="Submitted" at={job.created_at} />
          <Time name="Started" at={job.started_at} />
          <Time name="Ended" at={job.completed_at} />
        </dl>
        <StageList stages={job.stages} />
      </Card>
      <JobFacts shown={shown} />
      <JobEvents jobId={job.id} />
      {report && <AnyReport jobId={job.id} host={job.host} />}
    </>
  );
}

function Owner({ shown: { job, own, owner } }: { shown: Shown }) {
  if (own) {
    return (
      <Link to={jobPath(job.id)} className="underline underline-offset-2">
        Your own job
      </Link>
    );
  }
  if (owner.email === null) return <span>a deleted account</span>;
  return (
    <span className="wrap-anywhere">
      {owner.name && `${owner.name}, `}
      <Link to={adminUserPath(owner.id)} className="underline underline-offset-2">
        {owner.email}
      </Link>
    </span>
  );
}

function Time({ name, at }: { name: string; at: string | null }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="text-strong tabular-nums">{at === null ? '–' : exactTime(at, 'seconds')}</dd>
    </div>
  );
}
