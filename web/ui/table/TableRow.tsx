import { clsx } from 'clsx';
import { memo, type ReactNode } from 'react';
import { ROLES } from '../tableRoles.ts';
import type { Column } from './column.ts';

interface TableRowProps<Row> {
  id: string;
  /** Its number in the whole table. */
  at: number;
  row: Row;
  columns: readonly Column<Row>[];
  open: boolean;
  onToggle: (id: string) => void;
  card: string;
  detail: ((row: Row, id: string) => ReactNode) | undefined;
  selected: boolean;
  /** Absent where rows are not selected. */
  onSelect: ((id: string) => void) | undefined;
  /** Names the row's box. */
  name: string;
}

function Line<Row>({
  id,
  at,
  row,
  columns,
  open,
  onToggle,
  card,
  detail,
  selected,
  onSelect,
  name,
}: TableRowProps<Row>) {
  const state = { open, onToggle: () => onToggle(id), detailId: `details-${id}` };
  const below = open ? detail?.(row, state.detailId) : null;
  return (
    <>
      <tr {...ROLES.row} aria-rowindex={at} data-row={id} className={clsx('table-line', card)}>
        {onSelect && (
          <td {...ROLES.cell}>
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={selected}
              onChange={() => onSelect(id)}
              className="size-4 accent-accent"
            />
          </td>
        )}
        {columns.map(({ id: column, name: title, named, cell, className }) => (
          <td key={column} {...ROLES.cell} className={clsx('min-w-0', className)}>
            {named && (
              <span aria-hidden="true" className="hidden text-xs text-muted cards:block">
                {title}
              </span>
            )}
            {cell(row, state)}
          </td>
        ))}
      </tr>
      {below && (
        <tr {...ROLES.row} className="block px-4 pb-4">
          <td {...ROLES.cell} className="block">
            {below}
          </td>
        </tr>
      )}
    </>
  );
}

/** Rendered again only when its own data changes, as a list has hundreds. */
export const TableRow = memo(Line) as typeof Line;
