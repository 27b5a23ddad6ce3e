/** The date range in the address: `range=7`, `range=all`, or `from=2026-11-01&to=2026-11-30`. */
import { REPORT_STEPS, type ReportStep } from '../../../../src/model/reports.ts';

export const RANGES = ['7', '30', '90', 'all', 'dates'] as const;
export type Range = (typeof RANGES)[number];

const USUAL: Range = '30';
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Shown {
  readonly range: Range;
  /** Days (YYYY-MM-DD), inclusive; null is unbounded. */
  readonly from: string | null;
  readonly to: string | null;
  readonly by: ReportStep;
}

/** `now`: milliseconds. Days are the server's, in UTC. */
export function shownIn(address: URLSearchParams, now: number): Shown {
  const dates = { from: dayIn(address.get('from')), to: dayIn(address.get('to')) };
  const asked = RANGES.find((each) => each === address.get('range')) ?? (dates.from || dates.to ? 'dates' : USUAL);
  const days =
    asked === 'dates' ? dates : { from: asked === 'all' ? null : dayBefore(now, Number(asked) - 1), to: null };
  const by = REPORT_STEPS.find((step) => step === address.get('by')) ?? stepFor(days, now);
  return { range: asked, ...days, by };
}

/** The query of a range, without defaults. */
export function addressOf(range: Range, dates: Pick<Shown, 'from' | 'to'>, by: ReportStep | null): URLSearchParams {
  const asked =
    range === 'dates' ? { range, from: dates.from ?? '', to: dates.to ?? '' } : { range: range === USUAL ? '' : range };
  return new URLSearchParams(Object.entries({ ...asked, by: by ?? '' }).filter(([, value]) => value !== ''));
}

/** Null when it is not a valid date. */
function dayIn(text: string | null): string | null {
  const time = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // February 31 would be a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text ?? '') ? text : null;
}

export const dayBefore = (now: number, days: number): string =>
  new Date(now - days * DAY_MS).toISOString().slice(0, 10);

/** The finest step that is still readable. */
function stepFor({ from, to }: Pick<Shown, 'from' | 'to'>, now: number): ReportStep {
  if (from === null) return 'month';
  const days = ((to === null ? now : Date.parse(to)) - Date.parse(from)) / DAY_MS;
  return days <= 31 ? 'day' : days <= 184 ? 'week' : 'month';
}
