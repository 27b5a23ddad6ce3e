import { clsx } from 'clsx';
import { Link, type To } from 'react-router-dom';
import { TO_ROWS } from '../toRows.ts';

export interface Column {
  readonly key: string;
  readonly label: string;
  /** Of its height. */
  readonly number: number;
  /** In digits; `number` by default. */
  readonly value?: string;
  /** Read instead of value and label. */
  readonly name: string;
  /** Its rows; null where there are none. */
  readonly to: To | null;
  /** Whether the list below shows these rows. */
  readonly isShown?: boolean;
  readonly tone: string;
}

const CELL = 'flex h-full flex-col items-center justify-end gap-0.5 rounded-control pt-0.5 text-xs leading-4';

/** A small bar chart: each bar with its number and its label, linking to its rows. */
export function Columns({ title, label, columns }: { title: string; label?: string; columns: readonly Column[] }) {
  const most = Math.max(...columns.map(({ number }) => number), 0);
  return (
    <section className="min-w-0">
      <h2 className="text-xs font-normal text-muted">{title}</h2>
      <ul aria-label={label ?? title} className="mt-1 flex h-20">
        {columns.map((column) => (
          <li key={column.key} className="min-w-0 flex-1">
            {column.to === null ? (
              <div className={clsx(CELL, 'text-muted')}>
                <Bar column={column} most={most} />
              </div>
            ) : (
              <Link
                {...TO_ROWS}
                to={column.to}
                title={column.name}
                aria-current={column.isShown ? 'true' : undefined}
                className={clsx(CELL, column.isShown ? 'bg-accent-soft' : 'hover:bg-inset')}
              >
                <Bar column={column} most={most} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bar({ column: { number, value, label, name, tone }, most }: { column: Column; most: number }) {
  return (
    <>
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="flex min-h-0 w-full flex-1 flex-col items-center justify-end">
        <span className={clsx('tabular-nums', number > 0 && 'font-medium text-strong')}>{value ?? number}</span>
        {/* The number above it takes 16 px. */}
        <span
          className={clsx(
            'mt-0.5 min-h-0.5 w-5 max-w-full rounded-t-[3px] bg-current',
            number > 0 ? tone : 'text-line',
          )}
          style={{ height: most > 0 ? `calc((100% - 18px) * ${number / most})` : 0 }}
        />
      </span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {label}
      </span>
    </>
  );
}
