import { Link } from 'react-router-dom';
import type { AllJobsResponse } from '../../../../src/http/contract/admin/jobs.ts';
import { adminPaths } from '../../../ui/adminPaths.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { jobsFailure } from './AllJobs.tsx';
import { type JobsRequest, useListAllJobsInfiniteQuery } from './adminJobsApi.ts';
import { JobRows } from './JobRows.tsx';
import { useLiveJobs } from './useLiveJobs.ts';

const NEWEST: JobsRequest = { limit: 10 };
const BY_DATE = { by: 'date', descending: true } as const;

/** The newest jobs of all users. */
export function RecentJobs() {
  const query = useListAllJobsInfiniteQuery(NEWEST, ADMIN_POLLING);
  return (
    <section aria-labelledby="recent-jobs" className="panel">
      <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-4 pb-2">
        <h2 id="recent-jobs" className="text-base">
          Recent jobs
        </h2>
        <Link to={adminPaths.jobs} className="text-sm text-accent underline-offset-2 hover:underline">
          All jobs
        </Link>
      </header>
      <div className="[&>[role=alert]]:m-4">
        <AdminAnswer query={query} title="Error Loading Jobs" textOf={jobsFailure}>
          {({ pages: [page] }) => page && <Newest page={page} />}
        </AdminAnswer>
      </div>
    </section>
  );
}

function Newest({ page }: { page: AllJobsResponse }) {
  useLiveJobs(NEWEST, page.position);
  if (page.data.length === 0)
    return <p className="border-t border-line px-4 py-12 text-center font-medium text-strong">No jobs yet</p>;
  // New live rows push out the oldest.
  return <JobRows label="Recent jobs" jobs={page.data.slice(0, NEWEST.limit)} sorted={BY_DATE} />;
}
