import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { AdminJobView } from '../../../../src/http/contract/admin/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { adminHistoryPath, adminJobPath } from '../../../ui/adminPaths.ts';
import { pagesText } from '../../../ui/jobs/jobStatus.ts';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import type { Column, Sorted } from '../../../ui/table/column.ts';
import { Table } from '../../../ui/table/Table.tsx';
import { ExactTime } from '../../../ui/text/ExactTime.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { cutMiddle, hostWithoutWww } from '../../../ui/text/wording.ts';

const HOST_LENGTH = 44;

interface JobRowsProps {
  label: string;
  jobs: readonly AdminJobView[];
  sorted: Sorted;
  /** Absent when the order is fixed. */
  onSort?: ((column: string) => void) | undefined;
  /** A search has its own order: only this column can be reversed. */
  only?: string | undefined;
  /** As of this event; they lead to their history then. */
  at?: string;
}

/** Jobs of any user. */
export function JobRows({ only, at, ...table }: JobRowsProps) {
  const columns = useMemo(
    () =>
      jobColumns(at).map((column) => (only === undefined || only === column.id ? column : { ...column, sorts: false })),
    [at, only],
  );
  return (
    <Table {...table} rows={table.jobs} columns={columns} idOf={idOf} card="cards:grid-cols-[minmax(0,1fr)_auto]" />
  );
}

const idOf = (job: AdminJobView): string => job.id;

const jobColumns = (at: string | undefined): readonly Column<AdminJobView>[] => [
  {
    id: 'website',
    name: 'Website',
    width: 'minmax(0, 1.2fr)',
    sorts: true,
    cell: (job) => (
      <Link
        to={at === undefined ? adminJobPath(job.id) : adminHistoryPath(`job-${job.id}`, at)}
        title={job.url}
        className="line-clamp-2 font-medium text-strong underline-offset-2 wrap-anywhere hover:underline pointer-coarse:touch-line"
      >
        {cutMiddle(hostWithoutWww(job.host), HOST_LENGTH)}
      </Link>
    ),
  },
  {
    id: 'user',
    name: 'User',
    width: 'minmax(0, 1.2fr)',
    className: 'truncate text-sm text-muted cards:order-3 cards:col-span-2',
    cell: (job) => <span title={job.userEmail ?? undefined}>{job.userEmail ?? 'No account'}</span>,
  },
  {
    id: 'status',
    name: 'Status',
    width: 'minmax(0, 1.5fr)',
    sorts: true,
    className: 'cards:order-4 cards:col-span-2',
    cell: (job) => <Status job={job} />,
  },
  {
    id: 'date',
    name: 'Date',
    // A date and a time, or how long ago.
    width: at === undefined ? '104px' : '152px',
    sorts: true,
    className: 'text-sm whitespace-nowrap text-muted',
    cell: (job) => (at === undefined ? <RelativeTime iso={job.created_at} /> : <ExactTime iso={job.created_at} />),
  },
];

function Status({ job }: { job: AdminJobView }) {
  const running = groupOf(job.status) === 'processing';
  const facts = running ? [`${job.progress}%`, pagesText(job)].filter(Boolean).join(' · ') : '';
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge status={job.status} />
      {facts && <span className="text-sm text-muted tabular-nums">{facts}</span>}
      {running && (
        <progress
          max={100}
          value={job.progress}
          aria-label={`Progress of ${hostWithoutWww(job.host)}`}
          className="max-w-40"
        />
      )}
    </div>
  );
}
