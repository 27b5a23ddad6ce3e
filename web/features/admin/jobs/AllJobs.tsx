import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import type { AllJobsResponse } from '../../../../src/http/contract/admin/jobs.ts';
import { selectConnection } from '../../../api/connection.ts';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { FilterBar } from '../../../ui/FilterBar.tsx';
import { turned } from '../../../ui/table/column.ts';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useListed } from '../useListed.ts';
import { useListAllJobsInfiniteQuery } from './adminJobsApi.ts';
import { JobRows } from './JobRows.tsx';
import { addressOf, type Column, FILTERS, filtersIn, type ShownJobs } from './jobsAddress.ts';
import { useLiveJobs } from './useLiveJobs.ts';

export const jobsFailure = (status: number): string => `Failed to fetch jobs: ${status}`;

/** All users' jobs: live, and refetched every 30 s. */
export function AllJobs() {
  const connection = useSelector(selectConnection);
  const [address, setAddress] = useSearchParams();
  const asked = filtersIn(address);
  const show = (next: Partial<ShownJobs>): void => setAddress(addressOf({ ...asked, ...next }), { replace: true });
  const query = useListAllJobsInfiniteQuery(asked, ADMIN_POLLING);
  const listed = useListed(query, `${asked.status} ${asked.search}`);
  const underWay = query.data?.pages[0]?.under_way;
  return (
    <section aria-labelledby="all-jobs" className="panel">
      <header className="flex flex-wrap items-center gap-x-4 px-4 pt-4">
        <h1 id="all-jobs" className="text-xl">
          Job Management
        </h1>
        <ConnectionIndicator {...connection} />
      </header>
      <FilterBar
        label="Filter jobs"
        value={asked.status}
        choices={FILTERS.map((value) => ({
          value,
          name: titleCase(value),
          number: value === 'processing' ? underWay : undefined,
        }))}
        onChange={(status) => show({ status })}
        search={{ label: 'Website or email', value: asked.search, onSearch: (search) => show({ search }) }}
      >
        <Status>
          {asked.search !== '' &&
            listed &&
            `${count(rowsIn(listed).length, 'job')} found${query.hasNextPage ? ', and more' : ''}`}
        </Status>
        <div className="[&>[role=alert]]:m-4">
          <AdminAnswer query={{ ...query, data: listed }} title="Error Loading Jobs" textOf={jobsFailure}>
            {({ pages }) => <List asked={asked} pages={pages} onShow={show} />}
          </AdminAnswer>
          {listed && (
            <Rest query={query}>
              {listed.pages[0]?.truncated && 'More accounts match than are shown here. Refine the search.'}
            </Rest>
          )}
        </div>
      </FilterBar>
    </section>
  );
}

interface ListProps {
  asked: ShownJobs;
  pages: readonly AllJobsResponse[];
  onShow: (next: Partial<ShownJobs>) => void;
}

function List({ asked, pages, onShow }: ListProps) {
  const jobs = rowsIn({ pages });
  const sorted = pages[0]?.sorted ?? { by: 'date', descending: true };
  useLiveJobs(asked, pages[0]?.position ?? '');
  if (jobs.length === 0) return <Empty asked={asked} />;
  return (
    <JobRows
      label="All jobs"
      jobs={jobs}
      sorted={sorted}
      only={asked.search === '' ? undefined : sorted.by}
      onSort={(by) => onShow({ sort: by as Column, order: turned(sorted, by).descending ? 'desc' : 'asc' })}
    />
  );
}

function Empty({ asked }: { asked: ShownJobs }) {
  const kind = asked.status === 'all' ? 'jobs' : `${asked.status} jobs`;
  return (
    <div className="border-t border-line px-4 py-12 text-center">
      <p className="font-medium text-strong">
        {asked.search === '' ? (asked.status === 'all' ? 'No jobs yet' : `No ${kind}`) : `No ${kind} found`}
      </p>
      {asked.search !== '' && (
        <p className="mt-1 text-muted">Searches for the start of the site, or of the email if it contains an @.</p>
      )}
    </div>
  );
}
