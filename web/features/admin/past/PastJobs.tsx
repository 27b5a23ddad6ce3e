import type { MomentView, PastJobsResponse, PastUserJobsResponse } from '../../../../src/http/contract/admin/past.ts';
import { JOB_GROUPS } from '../../../../src/model/jobs.ts';
import { adminHistoryPath, adminPaths, adminUserPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { JobRows } from '../jobs/JobRows.tsx';
import { UserJobRow } from '../users/UserJobs.tsx';
import { MomentForm, PastBanner } from './PastBanner.tsx';
import { useListPastJobsInfiniteQuery, useListPastUserJobsInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

const STATUSES = ['all', ...JOB_GROUPS] as const;
const NEWEST_FIRST = { by: 'date', descending: true } as const;

interface AllThen {
  readonly at: string;
  readonly status: string;
  readonly onShow: (next: { readonly at?: string; readonly status?: string }) => void;
}

/** All users' jobs at a past moment. */
export function PastJobs({ at, status, onShow }: AllThen) {
  const asked = STATUSES.find((each) => each === status) ?? 'all';
  const query = useListPastJobsInfiniteQuery({ at, status: asked });
  return (
    <AdminAnswer query={query} title="Failed to load the jobs" textOf={pastFailure('There are no such jobs.')}>
      {({ pages }) => {
        const [first] = pages;
        if (!first) return null;
        const jobs = pages.flatMap(({ data }) => data);
        return (
          <div className="space-y-4">
            <PastBanner moment={first.moment} now={adminPaths.jobs} />
            <Head title="All jobs" moment={first.moment} onShow={onShow} />
            <div className="rounded-card border border-line bg-card">
              <Tabs
                label="Filter jobs"
                value={asked}
                choices={STATUSES.map((value) => ({ value, label: titleCase(value) }))}
                onChange={(value) => onShow({ status: value })}
                listClassName="px-3"
              >
                {jobs.length === 0 ? (
                  <p className="px-4 py-6 text-center text-muted">{query.hasNextPage ? 'None among the newest.' : 'No jobs then.'}</p>
                ) : (
                  <JobRows label="Jobs then" jobs={jobs} sorted={NEWEST_FIRST} pathOf={(jobId) => adminHistoryPath(`job-${jobId}`, first.moment.position)} />
                )}
                <Rest pages={pages} query={query} />
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
            <Head title={`Jobs of ${first.email ?? 'a deleted account'}`} moment={first.moment} onShow={onShow} />
            <div className="rounded-card border border-line bg-card">
              {jobs.length === 0 && <p className="px-4 py-6 text-center text-muted">No jobs then.</p>}
              <ul aria-label="Jobs then" className="divide-y divide-line px-4">
                {jobs.map((job) => (
                  <UserJobRow key={job.id} job={job} to={adminHistoryPath(`job-${job.id}`, first.moment.position)} />
                ))}
              </ul>
              <Rest pages={pages} query={query} />
            </div>
          </div>
        );
      }}
    </AdminAnswer>
  );
}

function Head({ title, moment, onShow }: { title: string; moment: MomentView; onShow: AllThen['onShow'] }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <h1 className="min-w-0 flex-1 basis-64 text-xl [overflow-wrap:anywhere] sm:text-2xl">{title}</h1>
      <MomentForm time={moment.time} onShow={(at) => onShow({ at })} />
    </div>
  );
}

type Page = Pick<PastJobsResponse | PastUserJobsResponse, 'erased'>;
interface Query {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

function Rest({ pages, query }: { pages: readonly Page[]; query: Query }) {
  const erased = pages.reduce((sum, page) => sum + page.erased, 0);
  return (
    <>
      {erased > 0 && (
        <p className="border-t border-line px-4 py-3 text-sm text-muted">
          {count(erased, 'job')} that {erased === 1 ? 'was' : 'were'} there then {erased === 1 ? 'has' : 'have'} been deleted since.
        </p>
      )}
      {query.hasNextPage && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}
