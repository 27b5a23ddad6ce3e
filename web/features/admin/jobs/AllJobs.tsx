import { Search } from 'lucide-react';
import { type FormEvent, useRef } from 'react';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import type { AllJobsResponse } from '../../../../src/http/contract/admin/jobs.ts';
import { EMAIL_MAX_LENGTH } from '../../../../src/model/limits.ts';
import { selectConnection } from '../../../api/connection.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { count, grouped, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useListed } from '../useListed.ts';
import { useTyped } from '../useTyped.ts';
import { useListAllJobsInfiniteQuery } from './adminJobsApi.ts';
import { JobRows, turned } from './JobRows.tsx';
import { addressOf, FILTERS, filtersIn, type ShownJobs } from './jobsAddress.ts';
import { useLiveJobs } from './useLiveJobs.ts';

export const jobsFailure = (status: number): string => `Failed to fetch jobs: ${status}`;

/** All users' jobs: live, and refetched every 30 s. */
export function AllJobs() {
  const connection = useSelector(selectConnection);
  const [address, setAddress] = useSearchParams();
  const asked = filtersIn(address);
  const show = (next: Partial<ShownJobs>): void => setAddress(addressOf({ ...asked, ...next }), { replace: true });
  return (
    <section aria-labelledby="all-jobs" className="rounded-card border border-line bg-card">
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 px-4 pt-4">
        <div className="flex flex-wrap items-center gap-x-4">
          <h1 id="all-jobs" className="text-xl">
            Job Management
          </h1>
          <ConnectionIndicator {...connection} />
        </div>
        <SearchBox text={asked.search} onSearch={(search) => show({ search })} />
      </header>
      <Jobs asked={asked} onShow={show} />
    </section>
  );
}

function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useTyped(text);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the element.
    <form role="search" onSubmit={submit} className="flex min-w-0 flex-wrap items-end gap-2 max-sm:w-full">
      <Field
        ref={field}
        label="Website, or email with @"
        type="search"
        value={typed}
        maxLength={EMAIL_MAX_LENGTH}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-0 flex-1 sm:w-64"
      />
      <Button type="submit">
        <Search aria-hidden="true" size={14} />
        Search
      </Button>
      {text !== '' && (
        <Button
          variant="quiet"
          onClick={() => {
            onSearch('');
            // The button is removed.
            field.current?.focus();
          }}
        >
          Show all
        </Button>
      )}
    </form>
  );
}

function Jobs({ asked, onShow }: { asked: ShownJobs; onShow: (next: Partial<ShownJobs>) => void }) {
  const query = useListAllJobsInfiniteQuery(asked, ADMIN_POLLING);
  const listed = useListed(query, `${asked.status} ${asked.search}`);
  const found = asked.search === '' ? undefined : listed?.pages.reduce((sum, { data }) => sum + data.length, 0);
  const underWay = query.data?.pages[0]?.under_way;
  return (
    <Tabs
      label="Filter jobs"
      value={asked.status}
      choices={FILTERS.map((value) => ({ value, label: <FilterLabel name={value} number={value === 'processing' ? underWay : undefined} /> }))}
      onChange={(value) => onShow({ status: FILTERS.find((each) => each === value) ?? 'all' })}
      className="mt-1"
      listClassName="px-3"
      panelClassName="mt-1"
    >
      <Status>{found !== undefined && `${count(found, 'job')} found${query.hasNextPage ? ', and more' : ''}`}</Status>
      <div className="[&>[role=alert]]:m-4">
        <AdminAnswer query={{ ...query, data: listed }} title="Error Loading Jobs" textOf={jobsFailure}>
          {({ pages }) => <List asked={asked} pages={pages} query={query} onShow={onShow} />}
        </AdminAnswer>
      </div>
    </Tabs>
  );
}

function FilterLabel({ name, number }: { name: string; number: number | undefined }) {
  return (
    <>
      {titleCase(name)} {number !== undefined && <span className="text-xs tabular-nums opacity-90">{grouped(number)}</span>}
    </>
  );
}

interface ListProps {
  asked: ShownJobs;
  pages: readonly AllJobsResponse[];
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown };
  onShow: (next: Partial<ShownJobs>) => void;
}

function List({ asked, pages, query, onShow }: ListProps) {
  const jobs = pages.flatMap(({ data }) => data);
  const sorted = pages[0]?.sorted ?? { by: 'date', descending: true };
  useLiveJobs(asked, pages[0]?.position ?? '');
  if (jobs.length === 0) return <Empty asked={asked} />;
  return (
    <>
      <JobRows
        label="All jobs"
        jobs={jobs}
        sorted={sorted}
        only={asked.search === '' ? undefined : sorted.by}
        onSort={(column) => onShow(turned(sorted, column))}
      />
      {pages[0]?.truncated && <p className="border-t border-line px-4 py-3 text-sm text-muted">More accounts match than are shown here. Refine the search.</p>}
      {query.hasNextPage && (
        <div className="border-t border-line p-2 text-center">
          <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

function Empty({ asked }: { asked: ShownJobs }) {
  const kind = asked.status === 'all' ? 'jobs' : `${asked.status} jobs`;
  return (
    <div className="border-t border-line px-4 py-12 text-center">
      <p className="font-medium text-strong">{asked.search === '' ? (asked.status === 'all' ? 'No jobs yet' : `No ${kind}`) : `No ${kind} found`}</p>
      {asked.search !== '' && <p className="mt-1 text-muted">Searches for the start of the site, or of the email if it contains an @.</p>}
    </div>
  );
}
