import { JOB_GROUPS } from '../../../../src/model/jobs.ts';
import { adminHistoryPath, adminPaths, adminUserPath } from '../../../ui/adminPaths.ts';
import { Tabs } from '../../../ui/Tabs.tsx';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { JobRows } from '../jobs/JobRows.tsx';
import { PrefixSearch } from '../PrefixSearch.tsx';
import { UserJobRow } from '../users/UserJobs.tsx';
import { ListHead, Rest } from './ListHead.tsx';
import { PastBanner } from './PastBanner.tsx';
import { useListPastJobsInfiniteQuery, useListPastUserJobsInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

const STATUSES = ['all', ...JOB_GROUPS] as const;
const NEWEST_FIRST = { by: 'date', descending: true } as const;

interface AllThen {
  readonly at: string;
  readonly status: string;
  readonly search: string;
  readonly onShow: (next: { readonly at?: string; readonly status?: string; readonly search?: string }) => void;
}

/** All users' jobs at a past moment. */
export function PastJobs({ at, status, search, onShow }: AllThen) {
  const asked = STATUSES.find((each) => each === status) ?? 'all';
  const query = useListPastJobsInfiniteQuery({ at, status: asked, search });
  return (
    <AdminAnswer query={query} title="Failed to load the jobs" textOf={pastFailure('There are no such jobs.')}>
      {({ pages }) => {
        const [first] = pages;
        if (!first) return null;
        const jobs = pages.flatMap(({ data }) => data);
        return (
          <div className="space-y-4">
            <PastBanner moment={first.moment} now={adminPaths.jobs} />
            <ListHead title="All jobs" list="jobs" moment={first.moment} onShow={onShow} />
            <PrefixSearch label="Website begins with" clear="Show all" value={search} onSearch={(text) => onShow({ search: text })} />
            <div className="rounded-card border border-line bg-card">
              <Tabs
                label="Filter jobs"
                value={asked}
                choices={STATUSES.map((value) => ({ value, label: titleCase(value) }))}
                onChange={(value) => onShow({ status: value })}
                listClassName="px-3"
              >
                {jobs.length === 0 ? (
                  <p className="px-4 py-6 text-center text-muted">
                    {query.hasNextPage ? 'None among the newest.' : search === '' ? 'No jobs then.' : 'No such jobs then.'}
                  </p>
                ) : (
                  <JobRows
                    past
                    label="Jobs then"
                    jobs={jobs}
                    sorted={NEWEST_FIRST}
                    pathOf={(jobId) => adminHistoryPath(`job-${jobId}`, first.moment.position)}
                  />
                )}
                <Rest query={query}>{deletedSince(pages)}</Rest>
              </Tabs>
            </div>
          </div>
        );
      }}
    </AdminAnswer>
  );
}

/** One user's jobs at a past moment. */
export function PastUserJobs({ userId, at, onShow }: { userId: string } & Pick<AllThen, 'at' | 'onShow'>) {
  const query = useListPastUserJobsInfiniteQuery({ userId, at });
  return (
    <AdminAnswer query={query} title="Failed to load the jobs" textOf={pastFailure('There is no such user.')}>
      {({ pages }) => {
        const [first] = pages;
        if (!first) return null;
        const jobs = pages.flatMap(({ data }) => data);
        return (
          <div className="space-y-4">
            <PastBanner moment={first.moment} now={adminUserPath(userId)} />
            <ListHead title={`Jobs of ${first.email ?? 'a deleted account'}`} moment={first.moment} onShow={onShow} />
            <div className="rounded-card border border-line bg-card">
              {jobs.length === 0 && <p className="px-4 py-6 text-center text-muted">No jobs then.</p>}
              <ul aria-label="Jobs then" className="divide-y divide-line px-4">
                {jobs.map((job) => (
                  <UserJobRow key={job.id} past job={job} to={adminHistoryPath(`job-${job.id}`, first.moment.position)} />
                ))}
              </ul>
              <Rest query={query}>{deletedSince(pages)}</Rest>
            </div>
          </div>
        );
      }}
    </AdminAnswer>
  );
}

function deletedSince(pages: readonly { readonly erased: number }[]): string | null {
  const erased = pages.reduce((sum, page) => sum + page.erased, 0);
  const [were, have] = erased === 1 ? ['was', 'has'] : ['were', 'have'];
  return erased === 0 ? null : `${count(erased, 'job')} that ${were} there then ${have} been deleted since.`;
}
