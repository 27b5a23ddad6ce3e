import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { ROLES } from '../tableRoles.ts';
import type { Sorted } from './column.ts';

interface SortHeadProps {
  name: string;
  end?: boolean | undefined;
  /** The order of the rows, if it is this column's. */
  sorted: Sorted | null;
  /** Absent: its name alone, which cards do not show. */
  onSort: (() => void) | undefined;
}

export function SortHead({ name, end, sorted, onSort }: SortHeadProps) {
  const Arrow = sorted?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      {...ROLES.column}
      aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : onSort && 'none'}
      className={clsx('self-center font-normal', end ? 'text-right' : 'text-left', !onSort && 'cards:hidden')}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={clsx(
            '-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 whitespace-nowrap hover:text-strong pointer-coarse:min-h-11',
            sorted && 'font-medium text-strong',
          )}
        >
          {name}
          {sorted && <Arrow aria-hidden="true" size={12} />}
        </button>
      ) : (
        name
      )}
    </th>
  );
}
