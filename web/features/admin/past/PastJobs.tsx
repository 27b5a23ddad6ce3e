import type { PastUserJobsResponse } from '../../../../src/http/contract/admin/pastLists.ts';
import { JOB_GROUPS } from '../../../../src/model/jobs.ts';
import { adminHistoryPath, adminPaths } from '../../../ui/adminPaths.ts';
import { FilterBar } from '../../../ui/FilterBar.tsx';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { JobRows } from '../jobs/JobRows.tsx';
import { UserJobRow } from '../users/UserJobs.tsx';
import { ListHead } from './ListHead.tsx';
import { atOf } from './momentText.ts';
import { nowOf } from './pastAddress.ts';
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
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the jobs"
        textOf={pastFailure('There are no such jobs.')}
        above={(data) => (
          <ListHead
            title="All jobs"
            list="jobs"
            shown={{ at, moment: data?.pages[0]?.moment }}
            now={adminPaths.jobs}
            onShow={onShow}
          />
        )}
      >
        {({ pages }) => {
          const [first] = pages;
          if (!first) return null;
          const jobs = rowsIn({ pages });
          return (
            <div className="panel">
              <FilterBar
                label="Filter jobs"
                value={asked}
                choices={STATUSES.map((value) => ({ value, name: titleCase(value) }))}
                onChange={(value) => onShow({ status: value })}
                search={{ label: 'Website starts with', value: search, onSearch: (text) => onShow({ search: text }) }}
              >
                {jobs.length === 0 ? (
                  <p className="px-4 py-6 text-center text-muted">
                    {query.hasNextPage
                      ? 'No match among the newest.'
                      : search === ''
                        ? 'No jobs at that time.'
                        : 'No matching jobs at that time.'}
                  </p>
                ) : (
                  <JobRows label="Jobs at that time" jobs={jobs} sorted={NEWEST_FIRST} at={atOf(first.moment)} />
                )}
                <Rest query={query}>{deletedSince(pages, ', not counting jobs of deleted accounts')}</Rest>
              </FilterBar>
            </div>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

/** One user's jobs at a past moment. */
export function PastUserJobs({ userId, at, onShow }: { userId: string } & Pick<AllThen, 'at' | 'onShow'>) {
  const query = useListPastUserJobsInfiniteQuery({ userId, at });
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the jobs"
        textOf={pastFailure('There is no such user.')}
        above={(data) => <UserJobsHead userId={userId} first={data?.pages[0]} at={at} onShow={onShow} />}
      >
        {({ pages }) => {
          const [first] = pages;
          if (!first) return null;
          const jobs = rowsIn({ pages });
          return (
            <div className="panel">
              {jobs.length === 0 && <p className="px-4 py-6 text-center text-muted">No jobs at that time.</p>}
              <ul aria-label="Jobs at that time" className="divide-y divide-line px-4">
                {jobs.map((job) => (
                  <UserJobRow key={job.id} past job={job} to={adminHistoryPath(`job-${job.id}`, atOf(first.moment))} />
                ))}
              </ul>
              <Rest query={query}>{deletedSince(pages)}</Rest>
            </div>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

interface UserJobsHeadProps extends Pick<AllThen, 'at' | 'onShow'> {
  userId: string;
  first: PastUserJobsResponse | undefined;
}

function UserJobsHead({ userId, first, at, onShow }: UserJobsHeadProps) {
  const whose = first ? (first.email ?? 'a deleted account') : 'a user';
  return (
    <ListHead
      title={`Jobs of ${whose}`}
      shown={{ at, moment: first?.moment }}
      now={nowOf(userId, first?.email)}
      onShow={onShow}
    />
  );
}

/** `uncounted`: which of them the log no longer knows. */
function deletedSince(pages: readonly { readonly erased: number }[], uncounted = ''): string | null {
  const erased = pages.reduce((sum, page) => sum + page.erased, 0);
  const have = erased === 1 ? 'has' : 'have';
  return erased === 0 ? null : `${count(erased, 'job')} that existed then ${have} been deleted since${uncounted}.`;
}
