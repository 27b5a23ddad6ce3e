import { clsx } from 'clsx';
import type { ReportTable } from '../../../../src/model/reports.ts';
import { cellText } from '../../../ui/reports/reportText.ts';

/** The darkest shade of a cell, in percent of the accent, at which its text is still legible in both themes. */
const DARKEST = 35;

/** Shares as shaded cells with their values: retention at a glance and in full. */
export function CohortsTable({ title, columns, rows }: Pick<ReportTable, 'title' | 'columns' | 'rows'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on phones, and the keyboard must be able to.
    <section aria-label={`${title}: table`} tabIndex={0} className="overflow-x-auto">
      <table className="border-separate border-spacing-0.5 text-sm">
        <thead>
          <tr className="text-muted">
            {columns.map(({ key, label, kind }) => (
              <th
                key={key}
                scope="col"
                className={clsx(
                  'px-2 py-1 font-medium whitespace-nowrap',
                  kind === 'date' ? 'text-left' : 'text-right',
                )}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row.cohort)}>
              {columns.map((column) => {
                const value = row[column.key] ?? null;
                if (column.kind === 'date') {
                  return (
                    <th
                      key={column.key}
                      scope="row"
                      className="px-2 py-1.5 text-left font-normal whitespace-nowrap text-strong"
                    >
                      {cellText(column, row)}
                    </th>
                  );
                }
                return (
                  <td
                    key={column.key}
                    className={clsx(
                      'rounded-control px-2 py-1.5 text-right tabular-nums',
                      column.kind === 'share' && 'min-w-16 text-strong',
                    )}
                    style={
                      column.kind === 'share' && typeof value === 'number' && value > 0
                        ? { backgroundColor: shadeOf(value) }
                        : undefined
                    }
                  >
                    {value === null ? '' : cellText(column, row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const shadeOf = (share: number): string =>
  `color-mix(in srgb, var(--color-accent) ${Math.round(share * DARKEST)}%, var(--color-card))`;
