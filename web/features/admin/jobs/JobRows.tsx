import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { AdminJobView } from '../../../../src/http/contract/admin/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { adminJobPath } from '../../../ui/adminPaths.ts';
import { pagesText } from '../../../ui/jobs/jobStatus.ts';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { ROLES } from '../../../ui/tableRoles.ts';
import { ExactTime } from '../../../ui/text/ExactTime.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { cutMiddle, hostWithoutWww } from '../../../ui/text/wording.ts';
import type { Column } from './jobsAddress.ts';

const GRID = '@3xl:grid @3xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.5fr)_104px] @3xl:gap-4';
/** With room for a date and a time. */
const PAST_GRID = '@3xl:grid @3xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.5fr)_152px] @3xl:gap-4';
const HOST_LENGTH = 44;

interface JobRowsProps {
  label: string;
  jobs: readonly AdminJobView[];
  sorted: { readonly by: Column; readonly descending: boolean };
  /** Absent when the order is fixed. */
  onSort?: ((column: Column) => void) | undefined;
  /** A search has its own order: only this column can be reversed. */
  only?: Column | undefined;
  /** Path of a job; defaults to its admin page. */
  pathOf?: (jobId: string) => string;
  /** As of a past moment. */
  past?: boolean;
}

/** One row per job where space allows, a card where it does not. */
export function JobRows({ label, jobs, pathOf = adminJobPath, past = false, ...heads }: JobRowsProps) {
  const grid = past ? PAST_GRID : GRID;
  return (
    <div className="@container">
      <table {...ROLES.table} aria-label={label} className="block w-full text-left">
        <thead {...ROLES.group} className={heads.onSort ? 'block' : 'hidden @3xl:block'}>
          <tr {...ROLES.row} className={`flex flex-wrap gap-x-3 px-4 py-1 text-sm text-muted ${grid}`}>
            <Head column="website" name="Website" {...heads} />
            <th {...ROLES.column} className="hidden self-center font-normal @3xl:block">
              User
            </th>
            <Head column="status" name="Status" {...heads} />
            <Head column="date" name="Date" {...heads} />
          </tr>
        </thead>
        <tbody {...ROLES.group} className="block">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} to={pathOf(job.id)} past={past} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps = Pick<JobRowsProps, 'sorted' | 'onSort' | 'only'> & { column: Column; name: string };

function Head({ column, name, sorted, onSort, only }: HeadProps) {
  const active = sorted.by === column;
  const Arrow = sorted.descending ? ArrowDown : ArrowUp;
  const can = onSort && (only === undefined || only === column);
  return (
    <th
      {...ROLES.column}
      aria-sort={active ? (sorted.descending ? 'descending' : 'ascending') : onSort ? 'none' : undefined}
      className={`self-center font-normal ${can ? '' : 'hidden @3xl:block'}`}
    >
      {can ? (
        <button
          type="button"
          onClick={() => onSort(column)}
          className={`-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 hover:text-strong pointer-coarse:min-h-11 ${active ? 'font-medium text-strong' : ''}`}
        >
          {name}
          {active && <Arrow aria-hidden="true" size={12} />}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

/** The active column reverses its order; another one starts descending. */
export function turned(sorted: JobRowsProps['sorted'], column: Column): { sort: Column; order: 'asc' | 'desc' } {
  return { sort: column, order: sorted.by === column && sorted.descending ? 'asc' : 'desc' };
}

const JobRow = memo(function JobRow({ job, to, past }: { job: AdminJobView; to: string; past: boolean }) {
  const host = hostWithoutWww(job.host);
  const running = groupOf(job.status) === 'processing';
  const facts = running ? [`${job.progress}%`, pagesText(job)].filter(Boolean).join(' · ') : '';
  return (
    <tr
      {...ROLES.row}
      data-job={job.id}
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 [contain-intrinsic-size:auto_57px] [content-visibility:auto] ${past ? PAST_GRID : GRID}`}
    >
      <td {...ROLES.cell} className="min-w-0">
        <Link
          to={to}
          title={job.url}
          className="line-clamp-2 font-medium text-strong underline-offset-2 [overflow-wrap:anywhere] hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          {cutMiddle(host, HOST_LENGTH)}
        </Link>
      </td>
      <td {...ROLES.cell} className="order-3 min-w-0 truncate text-sm text-muted @max-3xl:col-span-2 @3xl:order-none" title={job.userEmail ?? undefined}>
        {job.userEmail ?? 'No account'}
      </td>
      <td {...ROLES.cell} className="order-4 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 @max-3xl:col-span-2 @3xl:order-none">
        <StatusBadge status={job.status} />
        {facts && <span className="text-sm text-muted tabular-nums">{facts}</span>}
        {running && <progress max={100} value={job.progress} aria-label={`Progress of ${host}`} className="max-w-40" />}
      </td>
      <td {...ROLES.cell} className="text-sm whitespace-nowrap text-muted">
        {past ? <ExactTime iso={job.created_at} /> : <RelativeTime iso={job.created_at} />}
      </td>
    </tr>
  );
});
