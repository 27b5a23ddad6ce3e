/** Chart data from a report's table. */
import { stepsBetween } from '../../../src/model/reportSteps.ts';
import type { ReportColumn, ReportStep, ReportTable } from '../../../src/model/reports.ts';
import { currencyOf } from './reportText.ts';

export interface Series {
  /** Key of its values in `points`. */
  readonly key: string;
  readonly label: string;
  readonly kind: ReportColumn['kind'];
  readonly currency: string | null;
}

export type Point = Readonly<Record<string, string | number | null>>;

export interface Drawn {
  readonly x: ReportColumn;
  readonly series: readonly Series[];
  /** One per position on the axis, with `x` and the keys of the series. */
  readonly points: readonly Point[];
}

/**
 * Each currency gets a series of its own, as they cannot share a line. Null when there is nothing to draw. `by`: step
 * of the time axis.
 */
export function drawnOf({ columns, rows, chart }: ReportTable, by: ReportStep): Drawn | null {
  const x = chart && columns.find(({ key }) => key === chart.x);
  if (!x || rows.length === 0) return null;
  const currencies = [...new Set(rows.map(currencyOf))];
  const drawn = chart.series.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const series = drawn.flatMap(({ key, label, kind }): Series[] =>
    kind === 'money' && currencies.length > 1
      ? currencies.map((currency) => ({
          key: keyOf(key, currency),
          label: `${label} (${(currency ?? '–').toUpperCase()})`,
          kind,
          currency,
        }))
      : [{ key, label, kind, currency: currencies[0] ?? null }],
  );
  const points = new Map<string, Record<string, string | number | null>>();
  for (const row of rows) {
    const at = String(row[x.key] ?? '');
    const point = points.get(at) ?? { x: at };
    points.set(at, point);
    for (const { key, kind } of drawn)
      point[kind === 'money' && currencies.length > 1 ? keyOf(key, currencyOf(row)) : key] = row[key] ?? null;
  }
  return { x, series, points: x.kind === 'date' ? overTime(points, series, by) : [...points.values()] };
}

/** Adds points for steps without rows: otherwise a period without payments would disappear from the axis. */
function overTime(points: ReadonlyMap<string, Point>, series: readonly Series[], by: ReportStep): readonly Point[] {
  const known = [...points.keys()].sort();
  const [first = '', last = ''] = [known[0], known.at(-1)];
  const steps = IS_DAY.test(first) && IS_DAY.test(last) ? stepsBetween(first, last, by) : [];
  const places = new Set(steps);
  const shown = known.every((at) => places.has(at)) ? steps : known;
  // An empty sum is 0; an empty mean is undefined.
  const nothing = Object.fromEntries(
    series.map(({ key, kind }) => [key, kind === 'count' || kind === 'money' ? 0 : null]),
  );
  return shown.map((at) => ({ x: at, ...nothing, ...points.get(at) }));
}

const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;

const keyOf = (column: string, currency: string | null): string => `${column} ${currency ?? ''}`;
