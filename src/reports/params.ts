/** What is asked of a report, as people type it: the same in a terminal, in an address and over the API. */
import type { ReportStep } from '../model/reports.ts';
import { stepAfter } from './dailySums.ts';
import type { ReportParams } from './report.ts';

/** `from` and `to`: UTC days, both inclusive; null: from the beginning, until the end. */
export type AskedParams = { readonly from: string | null; readonly to: string | null; readonly by: ReportStep };

export const paramsOf = ({ from, to, by }: AskedParams): ReportParams => ({ from, to: to === null ? null : stepAfter(to, 'day'), by });

/** Whether it is a day of the calendar: '2026-02-30' is none. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
