import { Tooltip } from '@base-ui/react/tooltip';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { memo, type ReactNode, type RefObject, useMemo, useState } from 'react';
import { Button } from '../Button.tsx';
import { grouped } from '../text/wording.ts';
import { GridHead } from './GridHead.tsx';
import type { GridColumn, GridSort, Order } from './gridColumn.ts';

/** Up to this many rows are all in the document, where the browser's find works. */
const VIRTUAL_FROM = 200;
const OVERSCAN = 12;

interface GridProps<Row> {
  label: string;
  /** The first one stays in view. Keep their identity from render to render. */
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  /** Number of rows, if there are more than these. */
  total: number;
  /** Null: in an order that no column has. */
  sorted: GridSort | null;
  /** Address of the list in the order of this column. */
  sortTo: (column: string, order: Order) => string;
  /** What scrolls: the head and the first column stay. */
  region: RefObject<HTMLElement | null>;
  /** Below the rows: the next ones of `left`. */
  more: { readonly left: number; readonly step: number; readonly busy: boolean; readonly onMore: () => void };
  className?: string;
}

/**
 * A table with many columns, a line of 40 px per row. It scrolls in both directions; of a long one, only rows that are
 * near are in the document.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, total, sorted, sortTo, region, more, className } = props;
  // The row with the focus stays, or the keyboard would be lost.
  const [kept, keep] = useState(-1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: rowHeight,
    overscan: OVERSCAN,
    useFlushSync: false,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), kept < range.count ? kept : -1),
  });
  const items = rows.length > VIRTUAL_FROM ? virtual.getVirtualItems() : rows.map((_, index) => ({ index }));
  const lines: ReactNode[] = [];
  let next = 0;
  for (const { index } of items) {
    const row = rows[index];
    if (row === undefined) continue;
    if (index > next) lines.push(<Gap key={`before-${index}`} rows={index - next} />);
    lines.push(<Line key={index} at={index} row={row} columns={columns} />);
    next = index + 1;
  }
  if (next < rows.length) lines.push(<Gap key="after" rows={rows.length - next} />);
  const width = useMemo(() => `calc(${columns.map((column) => lengthOf(column.width)).join(' + ')})`, [columns]);
  return (
    <section
      ref={region}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
      tabIndex={0}
      className={clsx(
        'relative overflow-auto overscroll-x-contain panel print:max-h-none print:overflow-visible',
        className,
      )}
    >
      <Tooltip.Provider>
        <table
          aria-rowcount={total + 1}
          className="w-full table-fixed border-separate border-spacing-0 text-left text-sm"
          style={{ minWidth: width }}
        >
          <colgroup>
            {columns.map(({ id, width: own }) => (
              <col key={id} style={{ width: lengthOf(own) }} />
            ))}
          </colgroup>
          <thead className="text-muted">
            <tr aria-rowindex={1}>
              {columns.map((column, at) => (
                <GridHead
                  key={column.id}
                  column={column}
                  sorted={sorted?.by === column.id ? sorted : null}
                  sortTo={(order) => sortTo(column.id, order)}
                  className={clsx(
                    'sticky top-0 short:top-auto border-b border-line bg-card py-1 align-bottom font-normal',
                    column.upright ? 'px-0' : 'px-2',
                    at === 0 ? 'left-0 z-20' : 'z-10',
                  )}
                />
              ))}
            </tr>
          </thead>
          <tbody onFocus={({ target }) => keep(Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1))}>
            {lines}
          </tbody>
        </table>
      </Tooltip.Provider>
      {more.left > 0 && (
        <div className="sticky left-0 p-2 text-center">
          <Button
            variant="quiet"
            busy={more.busy}
            onClick={() => {
              // If the button is gone then, the keyboard goes on there.
              keep(rows.length);
              more.onMore();
            }}
          >
            Show {Math.min(more.step, more.left)} more of {grouped(more.left)}
          </Button>
        </div>
      )}
    </section>
  );
}

const lengthOf = (width: number | string): string => (typeof width === 'number' ? `${width}px` : width);

const withIndex = (range: readonly number[], index: number): number[] =>
  index < 0 || range.includes(index) ? [...range] : [...range, index].sort((a, b) => a - b);

/** As the classes of a line say. */
const rowHeight = (): number => (matchMedia('(pointer: coarse)').matches ? 44 : 40);

/** In place of rows that are far. */
function Gap({ rows }: { rows: number }) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is no row, only their height.
    <tr role="none">
      <td role="none" style={{ height: rows * rowHeight() }} />
    </tr>
  );
}

interface LineProps<Row> {
  at: number;
  row: Row;
  columns: readonly GridColumn<Row>[];
}

function AnyLine<Row>({ at, row, columns }: LineProps<Row>) {
  const cell = 'h-10 truncate border-b border-line pointer-coarse:h-11';
  return (
    <tr data-row={at} aria-rowindex={at + 2} className="group">
      {columns.map((column, place) =>
        place === 0 ? (
          <th
            key={column.id}
            scope="row"
            className={clsx(cell, 'px-3 sticky left-0 z-5 bg-card font-normal group-hover:bg-inset')}
          >
            {column.cell(row)}
          </th>
        ) : (
          <td
            key={column.id}
            className={clsx(
              cell,
              'group-hover:bg-inset',
              column.upright ? 'px-1' : 'px-3',
              column.end && 'text-right tabular-nums',
            )}
          >
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

/** Rendered again only when its own data changes. */
const Line = memo(AnyLine) as typeof AnyLine;
