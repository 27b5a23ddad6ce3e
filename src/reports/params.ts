/** Report parameters as typed by a user: the same in a terminal, a URL and the API. */
import { stepAfter } from '../model/reportSteps.ts';
import type { ReportStep } from '../model/reports.ts';
import type { ReportParams } from './report.ts';

/** `from` and `to`: UTC days, both inclusive; null: from the start, to the end. */
export type RequestedParams = { readonly from: string | null; readonly to: string | null; readonly by: ReportStep };

export function paramsOf({ from, to, by }: RequestedParams): ReportParams {
  // After the last four-digit year, days no longer sort as text, and there is nothing left to exclude.
  return { from, to: to === null || to === LAST_DAY ? null : stepAfter(to, 'day'), by };
}

const LAST_DAY = '9999-12-31';

/** Whether it is a valid calendar day: '2026-02-30' is not. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
