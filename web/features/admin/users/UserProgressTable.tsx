import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { UserProgressSort, UserProgressView } from '../../../../src/http/contract/admin/userProgress.ts';
import { adminUserPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { ROLES } from '../../../ui/tableRoles.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { cutMiddle, grouped, hostWithoutWww } from '../../../ui/text/wording.ts';
import { NamedCell } from '../NamedCell.tsx';
import { completionTone, timeSavedText } from './progressWording.ts';
import type { ProgressOrder } from './usersApi.ts';

interface Column {
  readonly name: string;
  /** Null when it is not sortable. */
  readonly sort: UserProgressSort | null;
}

const UNSORTED = { sort: null } as const;
export const COLUMNS = [
  { name: 'User', sort: 'email' },
  { name: 'Domain', sort: 'domain' },
  { name: 'Total', sort: 'total_actions' },
  { name: 'Completed', ...UNSORTED },
  { name: 'In progress', ...UNSORTED },
  { name: 'Completion', sort: 'completion_percentage' },
  { name: 'Time saved', sort: 'time_saved' },
  { name: 'Last activity', sort: 'last_activity' },
] as const satisfies readonly Column[];

const DOMAIN_LENGTH = 44;
const GRID = 'lg:grid lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1.2fr)_64px_88px_88px_96px_88px_112px] lg:gap-3';

interface UserProgressTableProps {
  rows: readonly UserProgressView[];
  order: ProgressOrder;
  /** The only sortable column: the results of a search are too many for any other. */
  only?: UserProgressSort | undefined;
  onSort: (column: UserProgressSort) => void;
}

/** A table on wide screens, cards on phones. */
export function UserProgressTable({ rows, order, only, onSort }: UserProgressTableProps) {
  if (rows.length === 0) {
    const text = order.search === '' ? 'No users yet.' : `No email address begins with “${order.search}”.`;
    return <p className="rounded-card border border-line bg-card px-4 py-8 text-center text-muted">{text}</p>;
  }
  return (
    <table {...ROLES.table} aria-label="User progress" className="block w-full rounded-card border border-line bg-card">
      <thead {...ROLES.group} className="block">
        <tr {...ROLES.row} className={clsx('flex flex-wrap gap-x-3 px-4 py-1 text-sm text-muted', GRID)}>
          {COLUMNS.map((column) => (
            <Head key={column.name} column={column} order={order} only={only} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.group} className="block">
        {rows.map((row) => (
          <Row key={`${row.user_id} ${row.domain}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

type HeadProps = Pick<UserProgressTableProps, 'order' | 'only' | 'onSort'> & { column: Column };

function Head({ column: { name, sort }, order, only, onSort }: HeadProps) {
  if (sort === null) {
    return (
      <th {...ROLES.column} className="self-center text-left font-normal max-lg:hidden">
        {name}
      </th>
    );
  }
  const active = (only ?? order.sort) === sort;
  const Arrow = order.order === 'desc' ? ArrowDown : ArrowUp;
  return (
    <th {...ROLES.column} aria-sort={active ? (order.order === 'desc' ? 'descending' : 'ascending') : 'none'} className="text-left font-normal">
      <button
        type="button"
        onClick={() => onSort(sort)}
        disabled={only !== undefined && only !== sort}
        className={clsx(
          '-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 whitespace-nowrap pointer-coarse:min-h-11',
          active ? 'font-medium text-strong' : 'enabled:hover:text-strong',
        )}
      >
        {name}
        {active && <Arrow aria-hidden="true" size={12} />}
      </button>
    </th>
  );
}

function Row({ row }: { row: UserProgressView }) {
  return (
    <tr {...ROLES.row} className={clsx('grid grid-cols-2 gap-x-4 gap-y-1 border-t border-line px-4 py-2 sm:grid-cols-4 lg:items-center', GRID)}>
      <td {...ROLES.cell} className="min-w-0 max-lg:col-span-full">
        <Link
          to={adminUserPath(row.user_id)}
          className="inline-flex items-center font-medium text-strong underline-offset-2 [overflow-wrap:anywhere] hover:underline pointer-coarse:min-h-11"
        >
          {row.email}
        </Link>
      </td>
      <td {...ROLES.cell} title={row.domain} className="min-w-0 [overflow-wrap:anywhere] max-lg:col-span-full">
        {cutMiddle(hostWithoutWww(row.domain), DOMAIN_LENGTH)}
      </td>
      <NamedCell name="Total">{grouped(row.total_actions)}</NamedCell>
      <NamedCell name="Completed">{grouped(row.completed_actions)}</NamedCell>
      <NamedCell name="In progress">{grouped(row.in_progress_actions)}</NamedCell>
      <NamedCell name="Completion">
        <Badge tone={completionTone(row.completion_percentage)}>{row.completion_percentage}%</Badge>
      </NamedCell>
      <NamedCell name="Time saved">{timeSavedText(row.time_saved)}</NamedCell>
      <NamedCell name="Last activity">{row.last_activity === null ? '–' : <RelativeTime iso={row.last_activity} />}</NamedCell>
    </tr>
  );
}
