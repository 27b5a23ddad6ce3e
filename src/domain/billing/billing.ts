/**
 * What one user has used and may still use, as the events of the billing stream tell it. The stream is never truncated and may hold hundreds of
 * thousands of events, so folding one more must cost the same however many there are: the states of one history share a ledger that each event
 * writes into, and every entry says which event made it and which ended it. A state passes over what came after it, so to whoever holds it,
 * it never changes.
 */
import type { JobAccess } from '../job/events.ts';
import type { BillingEvent, PaidFrom } from './events.ts';

export type Analysis = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  /** Calendar month (UTC, `2026-11`) that it is taken from. */
  readonly period: string;
  readonly status: 'reserved' | 'consumed' | 'released';
};

type Entry = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  readonly period: string;
  readonly batchId: string | null;
  /** The number of the event that reserved it, in the ledger. */
  readonly reservedBy: number;
  /** Of the event that ended it; null while it is open. */
  endedBy: number | null;
  end: 'consumed' | 'released' | null;
};

type Ledger = {
  /** How many events it holds, numbered from 1. */
  events: number;
  /** Every analysis ever reserved, by job. */
  readonly analyses: Map<string, Entry>;
  /** The jobs that were reserved together, in their order. */
  readonly batches: Map<string, string[]>;
};

type Month = { readonly period: string; readonly used: Readonly<Partial<Record<PaidFrom, number>>> };

export type BillingState = {
  readonly ledger: Ledger;
  /** The last event of the ledger that this state knows of. */
  readonly upTo: number;
  /** Analyses of each month by source: reserved or consumed. A list, because of a short one a changed copy is made in no time. */
  readonly months: readonly Month[];
  /** What of them accounts of the same address had used that were deleted before. */
  readonly carried: Readonly<Record<string, number>>;
  /** Analyses that were begun, cancelled and given back on the last day (UTC) on which there were any. */
  readonly cancelled: { readonly day: string; readonly count: number };
};

export const billingStream = (userId: string): string => `billing-${userId}`;

export const initialState = (): BillingState => ({ ledger: emptyLedger(), upTo: 0, months: [], carried: {}, cancelled: { day: '', count: 0 } });

export function evolve(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'AnalysisReserved':
      return reserved(state, event.data);
    case 'AllowanceCarriedOver': {
      const { period, used } = event.data;
      return { ...state, months: counted(state, period, 'free_allowance', used), carried: { ...state.carried, [period]: used } };
    }
    case 'AnalysisConsumed':
      return ended(state, event.data.jobId, 'consumed');
    case 'AnalysisReleased':
      return released(state, event.data);
    default:
      event satisfies never;
      return state;
  }
}

/** Begun analyses that were cancelled and given back on that day (UTC, `2026-11-22`). */
export function cancelledOn({ cancelled }: BillingState, day: string): number {
  return cancelled.day === day ? cancelled.count : 0;
}

/** Null when nothing was ever reserved for the job. */
export function analysisOf(state: BillingState, jobId: string): Analysis | null {
  const entry = entryOf(state, jobId);
  if (!entry) return null;
  const { from, access, period, end } = entry;
  return { from, access, period, status: isOpen(entry, state.upTo) || !end ? 'reserved' : end };
}

/** Null when nothing is reserved for the job, or it has ended already. */
export function openAnalysisOf(state: BillingState, jobId: string): Analysis | null {
  const analysis = analysisOf(state, jobId);
  return analysis?.status === 'reserved' ? analysis : null;
}

/** The jobs that one command reserved for, this one among them, in their order. Null when its reservation does not say, as those of old logs. */
export function reservedTogether(state: BillingState, jobId: string): readonly string[] | null {
  const batchId = entryOf(state, jobId)?.batchId ?? null;
  const jobIds = batchId === null ? undefined : state.ledger.batches.get(batchId);
  return jobIds?.filter((other) => entryOf(state, other)?.batchId === batchId) ?? null;
}

/** Analyses of the month that are taken from that source: reserved or consumed. */
export function usedOf(state: BillingState, period: string, from: PaidFrom): number {
  return state.months.findLast((month) => month.period === period)?.used[from] ?? 0;
}

/** How many of them were not used by this account. */
export const carriedOver = ({ carried }: BillingState, period: string): number => carried[period] ?? 0;

/** The calendar month of a UTC ISO time. */
export const periodOf = (at: string): string => at.slice(0, 7);

function reserved(state: BillingState, { jobId, period, from, access, batchId }: EventData<'AnalysisReserved'>): BillingState {
  // What an earlier state knows of the job must stay; no decision leads to a second reservation.
  const ledger = state.ledger.analyses.has(jobId) ? copyFor(state) : ledgerFor(state);
  ledger.events += 1;
  enter(ledger, jobId, { from, access, period, batchId: batchId ?? null, reservedBy: ledger.events, endedBy: null, end: null });
  return { ...state, ledger, upTo: ledger.events, months: counted(state, period, from, 1) };
}

function released(state: BillingState, { jobId, begun, releasedAt }: EventData<'AnalysisReleased'>): BillingState {
  const after = ended(state, jobId, 'released');
  const day = releasedAt.slice(0, 10);
  return begun && after !== state ? { ...after, cancelled: { day, count: cancelledOn(state, day) + 1 } } : after;
}

function ended(state: BillingState, jobId: string, end: 'consumed' | 'released'): BillingState {
  const known = entryOf(state, jobId);
  if (!known || !isOpen(known, state.upTo)) return state;
  const ledger = ledgerFor(state);
  const entry = ledger.analyses.get(jobId) ?? known;
  ledger.events += 1;
  entry.endedBy = ledger.events;
  entry.end = end;
  const months = end === 'released' ? counted(state, entry.period, entry.from, -1) : state.months;
  return { ...state, ledger, upTo: ledger.events, months };
}

function entryOf({ ledger, upTo }: BillingState, jobId: string): Entry | null {
  const entry = ledger.analyses.get(jobId);
  return entry && entry.reservedBy <= upTo ? entry : null;
}

const isOpen = ({ endedBy }: Entry, upTo: number): boolean => endedBy === null || endedBy > upTo;

/** The ledger to write what follows on `state` into: its own, unless another history has been written there since. */
function ledgerFor(state: BillingState): Ledger {
  return state.ledger.events === state.upTo ? state.ledger : copyFor(state);
}

function copyFor({ ledger, upTo }: BillingState): Ledger {
  const copy = { ...emptyLedger(), events: upTo };
  for (const [jobId, entry] of ledger.analyses) {
    if (entry.reservedBy <= upTo) enter(copy, jobId, isOpen(entry, upTo) ? { ...entry, endedBy: null, end: null } : { ...entry });
  }
  return copy;
}

function enter({ analyses, batches }: Ledger, jobId: string, entry: Entry): void {
  analyses.set(jobId, entry);
  if (entry.batchId === null) return;
  const together = batches.get(entry.batchId);
  if (together) together.push(jobId);
  else batches.set(entry.batchId, [jobId]);
}

const emptyLedger = (): Ledger => ({ events: 0, analyses: new Map(), batches: new Map() });

type EventData<Type extends BillingEvent['type']> = Extract<BillingEvent, { readonly type: Type }>['data'];

function counted({ months }: BillingState, period: string, from: PaidFrom, change: number): BillingState['months'] {
  const at = months.findLastIndex((month) => month.period === period);
  const used = months[at]?.used ?? {};
  const month = { period, used: { ...used, [from]: (used[from] ?? 0) + change } };
  return at < 0 ? [...months, month] : months.with(at, month);
}
