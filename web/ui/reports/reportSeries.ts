/** What a chart draws of a report's table. */
import type { ReportColumn, ReportTable } from '../../../src/model/reports.ts';
import { currencyOf } from './reportText.ts';

export interface Series {
  /** Of its values in `points`. */
  readonly key: string;
  readonly label: string;
  readonly kind: ReportColumn['kind'];
  readonly currency: string | null;
}

export type Point = Readonly<Record<string, string | number | null>>;

export interface Drawn {
  readonly x: ReportColumn;
  readonly series: readonly Series[];
  /** A place on the axis each; what is there under `x` and the keys of the series. */
  readonly points: readonly Point[];
}

/** Money of several currencies is never one line: each currency has its own. Null: there is nothing to draw. */
export function drawnOf({ columns, rows, chart }: ReportTable): Drawn | null {
  const x = chart && columns.find(({ key }) => key === chart.x);
  if (!x || rows.length === 0) return null;
  const currencies = [...new Set(rows.map(currencyOf))];
  const drawn = chart.series.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const series = drawn.flatMap(({ key, label, kind }): Series[] =>
    kind === 'money' && currencies.length > 1
      ? currencies.map((currency) => ({ key: keyOf(key, currency), label: `${label} (${(currency ?? '–').toUpperCase()})`, kind, currency }))
      : [{ key, label, kind, currency: currencies[0] ?? null }],
  );
  const points = new Map<string, Record<string, string | number | null>>();
  for (const row of rows) {
    const at = String(row[x.key] ?? '');
    const point = points.get(at) ?? { x: at };
    points.set(at, point);
    for (const { key, kind } of drawn) point[kind === 'money' && currencies.length > 1 ? keyOf(key, currencyOf(row)) : key] = row[key] ?? null;
  }
  return { x, series, points: [...points.values()] };
}

const keyOf = (column: string, currency: string | null): string => `${column} ${currency ?? ''}`;
