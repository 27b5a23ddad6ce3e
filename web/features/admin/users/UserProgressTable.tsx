import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { UserProgressView } from '../../../../src/http/contract/admin/userProgress.ts';
import { adminUserPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import type { Column, Sorted } from '../../../ui/table/column.ts';
import { Table } from '../../../ui/table/Table.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { cutMiddle, grouped, hostWithoutWww } from '../../../ui/text/wording.ts';
import { completionTone, timeSavedText } from './progressWording.ts';

const DOMAIN_LENGTH = 44;
const FIGURE = { named: true, className: 'text-sm tabular-nums' } as const;

/** Named as the server's orders, as far as it has them. */
export const COLUMNS: readonly Column<UserProgressView>[] = [
  {
    id: 'email',
    name: 'User',
    width: 'minmax(0, 1.5fr)',
    sorts: true,
    className: 'cards:col-span-full',
    cell: (row) => (
      <Link
        to={adminUserPath(row.user_id)}
        className="inline-flex items-center font-medium text-strong underline-offset-2 wrap-anywhere hover:underline pointer-coarse:min-h-11"
      >
        {row.email}
      </Link>
    ),
  },
  {
    id: 'domain',
    name: 'Domain',
    width: 'minmax(0, 1.2fr)',
    sorts: true,
    className: 'wrap-anywhere cards:col-span-full',
    cell: (row) => <span title={row.domain}>{cutMiddle(hostWithoutWww(row.domain), DOMAIN_LENGTH)}</span>,
  },
  {
    id: 'total_actions',
    name: 'Total',
    width: '64px',
    sorts: true,
    ...FIGURE,
    cell: (row) => grouped(row.total_actions),
  },
  { id: 'completed', name: 'Completed', width: '88px', ...FIGURE, cell: (row) => grouped(row.completed_actions) },
  { id: 'in_progress', name: 'In progress', width: '88px', ...FIGURE, cell: (row) => grouped(row.in_progress_actions) },
  {
    id: 'completion_percentage',
    name: 'Completion',
    width: '96px',
    sorts: true,
    ...FIGURE,
    cell: (row) => <Badge tone={completionTone(row.completion_percentage)}>{row.completion_percentage}%</Badge>,
  },
  {
    id: 'time_saved',
    name: 'Time saved',
    width: '88px',
    sorts: true,
    ...FIGURE,
    cell: (row) => timeSavedText(row.time_saved),
  },
  {
    id: 'last_activity',
    name: 'Last activity',
    width: '112px',
    sorts: true,
    ...FIGURE,
    cell: (row) => (row.last_activity === null ? '–' : <RelativeTime iso={row.last_activity} />),
  },
];

interface UserProgressTableProps {
  rows: readonly UserProgressView[];
  sorted: Sorted;
  /** The only sortable column: the results of a search are too many for any other. */
  only?: string | undefined;
  onSort: (column: string) => void;
}

export function UserProgressTable({ only, ...table }: UserProgressTableProps) {
  const columns = useMemo(
    () => COLUMNS.map((column) => (only === undefined || only === column.id ? column : { ...column, sorts: false })),
    [only],
  );
  return (
    <Table
      {...table}
      wide
      label="User progress"
      columns={columns}
      idOf={idOf}
      card="cards:grid-cols-2 cards:sm:grid-cols-4"
    />
  );
}

const idOf = (row: UserProgressView): string => `${row.user_id} ${row.domain}`;
