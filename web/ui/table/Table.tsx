import {
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { clsx } from 'clsx';
import { type CSSProperties, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { lazily } from '../lazily.ts';
import { ROLES } from '../tableRoles.ts';
import { type Column, FIRST_ROW, type Sorted } from './column.ts';
import { SortHead } from './SortHead.tsx';
import { TableRow } from './TableRow.tsx';

const VirtualRows = lazily(() => import('./VirtualRows.tsx'), 'VirtualRows');

/** Up to this many rows are all in the document, where the browser's find works. */
const VIRTUAL_FROM = 100;
const FEATURES = tableFeatures({ columnOrderingFeature, columnVisibilityFeature, rowSelectionFeature });
const NOTHING = {};
const AS_GIVEN: string[] = [];

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Number of rows, if there are more than these. */
  total?: number;
  sorted?: Sorted;
  /**
   * Absent where the order is fixed. Sorting is the caller's: an order belongs to an address, and often to the server.
   */
  onSort?: ((column: string) => void) | undefined;
  /** Rows become cards where the table is narrower than 840 px, or 960 px with `wide`. */
  wide?: boolean;
  /** Layout of a card. */
  card: string;
  /** What is shown below a row that a cell opened; null: nothing. */
  detail?: (row: Row, id: string) => ReactNode;
  /** Ids in their order; those left out follow. */
  columnOrder?: string[];
  /** False for what is hidden, by id. */
  columnVisibility?: Record<string, boolean>;
  /** Selected rows, by id. */
  selection?: Record<string, true>;
  /** With it, each row has a box, named by `nameOf`. */
  onSelect?: (selection: Record<string, true>) => void;
  nameOf?: (row: Row) => string;
}

/**
 * Columns and rows: a line per row where there is space, a card where there is not. Long tables have only those rows in
 * the document that are near.
 */
export function Table<Row extends object>(props: TableProps<Row>) {
  const {
    label,
    columns,
    rows,
    idOf,
    total = rows.length,
    sorted,
    onSort,
    wide = false,
    card,
    detail,
    onSelect,
    nameOf = idOf,
  } = props;
  const { columnOrder = AS_GIVEN, columnVisibility = NOTHING, selection = NOTHING as Record<string, true> } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => setOpen((before) => toggled(before, id)), []);
  const table = useTable({
    features: FEATURES,
    columns: useMemo(() => columns.map(({ id }) => ({ id })), [columns]),
    data: rows,
    getRowId: idOf,
    state: { columnOrder, columnVisibility, rowSelection: selection },
    onRowSelectionChange: (next) => onSelect?.(typeof next === 'function' ? next(selection) : next),
  });
  const latest = useRef(table);
  latest.current = table;
  const select = useCallback((id: string) => latest.current.getRow(id).toggleSelected(), []);
  const ids = table
    .getVisibleLeafColumns()
    .map(({ id }) => id)
    .join(' ');
  const shown = useMemo(
    () => ids.split(' ').flatMap((id) => columns.find((column) => column.id === id) ?? []),
    [ids, columns],
  );
  const lines = table.getRowModel().rows;
  const draw = (index: number): ReactNode => {
    const line = lines[index];
    if (!line) return null;
    return (
      <TableRow
        key={line.id}
        id={line.id}
        at={index + FIRST_ROW}
        row={line.original}
        columns={shown}
        open={open.has(line.id)}
        onToggle={toggle}
        card={card}
        detail={detail}
        selected={selection[line.id] ?? false}
        onSelect={onSelect && select}
        name={onSelect ? nameOf(line.original) : ''}
      />
    );
  };
  const first = (
    <tbody {...ROLES.group} className="block">
      {lines.slice(0, VIRTUAL_FROM).map((_, index) => draw(index))}
    </tbody>
  );
  const tracks = [...(onSelect ? ['16px'] : []), ...shown.map(({ width }) => width)].join(' ');
  return (
    <table
      {...ROLES.table}
      aria-label={label}
      aria-rowcount={total + 1}
      className={clsx('table-rows', wide ? '[container-name:wide-table]' : '[container-name:table]')}
      style={{ '--columns': tracks } as CSSProperties}
    >
      <thead {...ROLES.group} className={onSort ? 'block' : 'block cards:hidden'}>
        <tr {...ROLES.row} aria-rowindex={1} className="table-head">
          {onSelect && (
            <th {...ROLES.column} className="self-center">
              <input
                type="checkbox"
                aria-label="Select all"
                checked={table.getIsAllRowsSelected()}
                ref={(box) => {
                  if (box) box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
                }}
                onChange={() => table.toggleAllRowsSelected()}
                className="size-4 accent-accent"
              />
            </th>
          )}
          {shown.map(({ id, name, sorts, end }) => (
            <SortHead
              key={id}
              name={name}
              end={end}
              sorted={sorted?.by === id ? sorted : null}
              onSort={sorts && onSort ? () => onSort(id) : undefined}
            />
          ))}
        </tr>
      </thead>
      {lines.length > VIRTUAL_FROM ? (
        <Suspense fallback={first}>
          <VirtualRows ids={lines.map(({ id }) => id)} draw={draw} />
        </Suspense>
      ) : (
        first
      )}
    </table>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}
