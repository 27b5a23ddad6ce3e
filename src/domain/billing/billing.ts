/** What one user has used and may still use, as the events of the billing stream tell it. */
import type { JobAccess } from '../job/events.ts';
import type { BillingEvent, PaidFrom } from './events.ts';

export type Analysis = { readonly from: PaidFrom; readonly access: JobAccess; readonly status: 'reserved' | 'consumed' | 'released' };

export type BillingState = {
  /** Every analysis ever reserved, by calendar month (UTC, `2026-11`) and job. By month, so that an event copies little. */
  readonly months: Readonly<Record<string, Readonly<Record<string, Analysis>>>>;
  /** Month of each open reservation, by job. */
  readonly open: Readonly<Record<string, string>>;
};

export const billingStream = (userId: string): string => `billing-${userId}`;

export const initialState = (): BillingState => ({ months: {}, open: {} });

export function evolve(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'AnalysisReserved': {
      const { jobId, period, from, access } = event.data;
      return { months: withAnalysis(state, period, jobId, { from, access, status: 'reserved' }), open: { ...state.open, [jobId]: period } };
    }
    case 'AnalysisConsumed':
      return ended(state, event.data.jobId, 'consumed');
    case 'AnalysisReleased':
      return ended(state, event.data.jobId, 'released');
    default:
      event satisfies never;
      return state;
  }
}

/** Null when nothing was ever reserved for the job. */
export function analysisOf(state: BillingState, jobId: string): Analysis | null {
  for (const month of Object.values(state.months)) {
    if (Object.hasOwn(month, jobId)) return month[jobId] ?? null;
  }
  return null;
}

/** Analyses of the month that are taken from that source: reserved or consumed. */
export function usedOf(state: BillingState, period: string, from: PaidFrom): number {
  return Object.values(state.months[period] ?? {}).filter((analysis) => analysis.from === from && analysis.status !== 'released').length;
}

/** The calendar month of a UTC ISO time. */
export const periodOf = (at: string): string => at.slice(0, 7);

function ended(state: BillingState, jobId: string, status: 'consumed' | 'released'): BillingState {
  const period = state.open[jobId];
  const analysis = period === undefined ? undefined : state.months[period]?.[jobId];
  if (period === undefined || !analysis) return state;
  const { [jobId]: _, ...open } = state.open;
  return { months: withAnalysis(state, period, jobId, { ...analysis, status }), open };
}

function withAnalysis(state: BillingState, period: string, jobId: string, analysis: Analysis): BillingState['months'] {
  return { ...state.months, [period]: { ...state.months[period], [jobId]: analysis } };
}
