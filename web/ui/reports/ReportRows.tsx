import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReportColumn, ReportRow, ReportTable } from '../../../src/model/reports.ts';
import { Button } from '../Button.tsx';
import { grouped } from '../text/wording.ts';
import { cellText } from './reportText.ts';

const ROWS_AT_ONCE = 50;
const LONG_TEXT = 28;

const isText = ({ kind }: ReportColumn): boolean => kind === 'text' || kind === 'date';

/** A table's rows, paged. A table too wide for a phone scrolls horizontally. */
export function ReportRows({ title, columns, rows }: Pick<ReportTable, 'title' | 'columns' | 'rows'>) {
  const [asked, setAsked] = useState(0);
  // There may now be fewer rows.
  const from = asked < rows.length ? asked : 0;
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on phones, and the keyboard must be able to. */}
      <section aria-label={`${title}: table`} tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr className="text-muted">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={clsx(
                    'px-2 py-1 font-medium whitespace-nowrap first:pl-0',
                    isText(column) ? 'text-left' : 'text-right',
                  )}
                >
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(from, from + ROWS_AT_ONCE).map((row, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id of their own, and keep no state.
              <Row key={from + nth} columns={columns} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > ROWS_AT_ONCE && <Pager title={title} from={from} rows={rows.length} onPage={setAsked} />}
    </div>
  );
}

function Row({ columns, row }: { columns: readonly ReportColumn[]; row: ReportRow }) {
  return (
    <tr className="border-t border-line">
      {columns.map((column, nth) => {
        const text = cellText(column, row);
        const classes = clsx(
          'px-2 py-1.5 first:pl-0',
          isText(column) ? 'text-left' : 'text-right tabular-nums',
          // Keeps a long text beside many columns from wrapping to one word per line.
          isText(column) && (text.length > LONG_TEXT ? 'min-w-56' : 'min-w-24'),
          column.kind !== 'text' && 'whitespace-nowrap',
        );
        return nth === 0 ? (
          <th key={column.key} scope="row" className={clsx(classes, 'font-normal text-strong')}>
            {text}
          </th>
        ) : (
          <td key={column.key} className={classes}>
            {text}
          </td>
        );
      })}
    </tr>
  );
}

function Pager({
  title,
  from,
  rows,
  onPage,
}: {
  title: string;
  from: number;
  rows: number;
  onPage: (from: number) => void;
}) {
  const to = Math.min(from + ROWS_AT_ONCE, rows);
  return (
    <nav aria-label={`Rows of ${title}`} className="mt-2 flex items-center justify-end gap-2 text-sm text-muted">
      <p role="status" className="tabular-nums">
        {grouped(from + 1)}–{grouped(to)} of {grouped(rows)}
      </p>
      <Button
        variant="quiet"
        aria-label="Previous rows"
        inactive={from === 0}
        onClick={() => onPage(from - ROWS_AT_ONCE)}
      >
        <ChevronLeft aria-hidden="true" size={16} />
      </Button>
      <Button variant="quiet" aria-label="Next rows" inactive={to === rows} onClick={() => onPage(to)}>
        <ChevronRight aria-hidden="true" size={16} />
      </Button>
    </nav>
  );
}
