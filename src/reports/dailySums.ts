/** Sums by day and by group: one state that answers every range and step. */
import { ascending } from '../model/order.ts';
import type { ReportRow, ReportStep } from '../model/reports.ts';
import type { ReportParams } from './report.ts';

type Sum = { readonly of: readonly string[]; readonly values: number[] };

/** `of`: the columns to group by. `fields`: the columns to sum. */
export type DailySums<Of extends string, Field extends string> = {
  readonly of: readonly Of[];
  readonly fields: readonly Field[];
  readonly days: Map<string, Map<string, Sum>>;
};

/** Without any sums yet. */
export function dailySums<Of extends string, Field extends string>(
  of: readonly Of[],
  fields: readonly Field[],
): DailySums<Of, Field> {
  return { of, fields, days: new Map() };
}

/** Adds to the sums of the UTC day of `at` (UTC ISO). */
export function addTo<Of extends string, Field extends string>(
  sums: DailySums<Of, Field>,
  at: string,
  of: Readonly<Record<Of, string>>,
  values: Readonly<Partial<Record<Field, number>>>,
): void {
  const day = at.slice(0, 10);
  // Runs for every event of a log, so it avoids iterators and short-lived arrays.
  let key = '';
  for (let nth = 0; nth < sums.of.length; nth += 1) key += `${of[sums.of[nth] as Of]}\n`;
  let ofDay = sums.days.get(day);
  if (!ofDay) {
    ofDay = new Map();
    sums.days.set(day, ofDay);
  }
  let sum = ofDay.get(key);
  if (!sum) {
    sum = { of: sums.of.map((name) => of[name]), values: sums.fields.map(() => 0) };
    ofDay.set(key, sum);
  }
  for (let nth = 0; nth < sums.fields.length; nth += 1) {
    const value = values[sums.fields[nth] as Field];
    if (value !== undefined) sum.values[nth] = (sum.values[nth] ?? 0) + value;
  }
}

/** Adds the sums of `other` to `sums`, and returns these. */
export function mergeSums<Of extends string, Field extends string>(
  sums: DailySums<Of, Field>,
  other: DailySums<Of, Field>,
): DailySums<Of, Field> {
  for (const [day, ofDay] of other.days) {
    const own = sums.days.get(day);
    if (!own) sums.days.set(day, ofDay);
    else {
      for (const [key, sum] of ofDay) {
        const known = own.get(key);
        if (!known) own.set(key, sum);
        else for (const [nth, value] of sum.values.entries()) known.values[nth] = (known.values[nth] ?? 0) + value;
      }
    }
  }
  return sums;
}

/**
 * One row per group in the range, sorted by the group values, with those values as texts and the sums. `step`: the
 * first day of the step.
 */
export function sumsBy<Of extends string, Field extends string>(
  sums: DailySums<Of, Field>,
  params: ReportParams,
  groups: readonly ('step' | Of)[],
): readonly (ReportRow & Readonly<Record<Field, number>>)[] {
  const rows = new Map<string, { readonly group: readonly string[]; readonly values: number[] }>();
  for (const [day, ofDay] of sums.days) {
    if (!isWithin(day, params)) continue;
    const step = stepOf(day, params.by);
    for (const { of, values } of ofDay.values()) {
      const group = groups.map((name) => (name === 'step' ? step : (of[sums.of.indexOf(name)] ?? '')));
      const key = group.join('\n');
      const row = rows.get(key) ?? { group, values: sums.fields.map(() => 0) };
      rows.set(key, row);
      for (const [nth, value] of values.entries()) row.values[nth] = (row.values[nth] ?? 0) + value;
    }
  }
  return [...rows]
    .sort(([one], [other]) => ascending(one, other))
    .map(([, { group, values }]) => ({
      ...Object.fromEntries(groups.map((name, nth) => [name, group[nth] ?? ''])),
      ...(Object.fromEntries(sums.fields.map((field, nth) => [field, values[nth] ?? 0])) as Record<Field, number>),
    }));
}

/** Whether a UTC day (YYYY-MM-DD) is in the requested range. */
export function isWithin(day: string, { from, to }: Pick<ReportParams, 'from' | 'to'>): boolean {
  return (from === null || day >= from) && (to === null || day < to);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** First day of the step that contains a UTC day. Weeks start on Monday. */
export function stepOf(day: string, by: ReportStep): string {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 7)}-01`;
  const time = Date.parse(`${day}T00:00:00Z`);
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}
