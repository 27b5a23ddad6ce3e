/** What one user has used and may still use, as the events of the billing stream tell it. */
import type { JobAccess } from '../job/events.ts';
import type { BillingEvent, PaidFrom } from './events.ts';

export type Analysis = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  /** Calendar month (UTC, `2026-11`) that it is taken from. */
  readonly period: string;
  readonly status: 'reserved' | 'consumed' | 'released';
};

type Shelf = Readonly<Record<string, Analysis>>;
type Used = Readonly<Partial<Record<PaidFrom, number>>>;

export type BillingState = {
  /** Every analysis ever reserved, by job, on shelves: an event copies one shelf, however many thousand there are. */
  readonly shelves: readonly (Shelf | undefined)[];
  /** Analyses of each month by source: reserved or consumed. */
  readonly used: Readonly<Record<string, Used>>;
};

export const billingStream = (userId: string): string => `billing-${userId}`;

export const initialState = (): BillingState => ({ shelves: [], used: {} });

export function evolve(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'AnalysisReserved': {
      const { jobId, period, from, access } = event.data;
      return { shelves: withAnalysis(state, jobId, { from, access, period, status: 'reserved' }), used: counted(state, period, from, 1) };
    }
    case 'AnalysisConsumed': {
      const analysis = openAnalysisOf(state, event.data.jobId);
      return analysis ? { ...state, shelves: withAnalysis(state, event.data.jobId, { ...analysis, status: 'consumed' }) } : state;
    }
    case 'AnalysisReleased': {
      const analysis = openAnalysisOf(state, event.data.jobId);
      if (!analysis) return state;
      const { period, from } = analysis;
      return { shelves: withAnalysis(state, event.data.jobId, { ...analysis, status: 'released' }), used: counted(state, period, from, -1) };
    }
    default:
      event satisfies never;
      return state;
  }
}

/** Null when nothing was ever reserved for the job. */
export function analysisOf(state: BillingState, jobId: string): Analysis | null {
  const shelf = state.shelves[shelfOf(jobId)] ?? {};
  return Object.hasOwn(shelf, jobId) ? (shelf[jobId] ?? null) : null;
}

/** Null when nothing is reserved for the job, or it has ended already. */
export function openAnalysisOf(state: BillingState, jobId: string): Analysis | null {
  const analysis = analysisOf(state, jobId);
  return analysis?.status === 'reserved' ? analysis : null;
}

/** Analyses of the month that are taken from that source: reserved or consumed. */
export function usedOf(state: BillingState, period: string, from: PaidFrom): number {
  return state.used[period]?.[from] ?? 0;
}

/** The calendar month of a UTC ISO time. */
export const periodOf = (at: string): string => at.slice(0, 7);

const SHELVES = 1024;

/** Job ids end in random digits, so the shelves grow alike. */
function shelfOf(jobId: string): number {
  return [...jobId.slice(-3)].reduce((sum, digit) => sum * 37 + digit.charCodeAt(0), 0) % SHELVES;
}

function withAnalysis(state: BillingState, jobId: string, analysis: Analysis): BillingState['shelves'] {
  const at = shelfOf(jobId);
  const shelves = state.shelves.length === SHELVES ? state.shelves.slice() : Array.from({ length: SHELVES }, (_, index) => state.shelves[index]);
  shelves[at] = { ...shelves[at], [jobId]: analysis };
  return shelves;
}

function counted(state: BillingState, period: string, from: PaidFrom, change: 1 | -1): BillingState['used'] {
  return { ...state.used, [period]: { ...state.used[period], [from]: usedOf(state, period, from) + change } };
}
