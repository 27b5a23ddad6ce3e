import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { FilterBar } from '../../../ui/FilterBar.tsx';
import { grouped, titleCase } from '../../../ui/text/wording.ts';
import { MAX_FINISHED } from '../jobsApi.ts';
import type { JobsCache } from '../jobsCache.ts';
import { placesInQueue } from '../queue.ts';
import { JobsTable } from './JobsTable.tsx';
import type { JobActions } from './jobColumns.tsx';
import { countJobs, FILTERS, type JobFilter, type JobOrder, orderFrom, orderJobs, withOrder } from './jobsOrder.ts';

interface JobsListProps extends Omit<JobActions, 'reportLink'> {
  list: JobsCache;
  jobs: readonly JobView[];
}

/** The jobs, filtered and ordered as the address says. */
export function JobsList({ list, jobs, ...actions }: JobsListProps) {
  const [search, setSearch] = useSearchParams();
  const { filter, by, descending } = orderFrom(search);
  const places = useMemo(() => placesInQueue(list), [list]);
  const counts = useMemo(() => countJobs(jobs), [jobs]);
  const shown = useMemo(() => orderJobs(jobs, { filter, by, descending }), [jobs, filter, by, descending]);
  const show = (next: JobOrder): void => setSearch((current) => withOrder(current, next), { replace: true });
  return (
    <FilterBar
      label="Filter jobs"
      value={filter}
      choices={FILTERS.map((value) => ({ value, name: titleCase(value), number: counts[value] }))}
      onChange={(next: JobFilter) => show({ filter: next, by, descending })}
    >
      {shown.length > 0 ? (
        <JobsTable
          key={filter}
          jobs={shown}
          places={places}
          order={{ filter, by, descending }}
          onOrder={show}
          {...actions}
        />
      ) : (
        <Empty filter={filter} any={jobs.length > 0} />
      )}
      {list.truncated && (
        <p className="border-t border-line px-4 py-3 text-sm text-muted">
          Showing the newest {grouped(MAX_FINISHED)} finished jobs.
        </p>
      )}
    </FilterBar>
  );
}

function Empty({ filter, any }: { filter: JobFilter; any: boolean }) {
  return (
    <div className="border-t border-line px-4 py-12 text-center">
      <p className="font-medium text-strong">{any ? `No ${filter} jobs` : 'No jobs yet'}</p>
      {!any && <p className="mt-1 text-muted">Enter a URL above. Your first report takes about a minute.</p>}
    </div>
  );
}
