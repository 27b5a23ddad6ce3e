/**
 * What one user has paid, used and may still use. The stream is never truncated and may hold hundreds of thousands of
 * events, so folding one more must take constant time: all states of one history share a ledger that each event writes
 * to, and every entry records the event that made it. A state ignores entries made after it, so to its holders it is
 * immutable.
 */
import type { JobAccess } from '../../model/jobs.ts';
import type { PaidTier } from '../../model/tiers.ts';
import type { BillingEventData, PaidFrom, Taken } from './events.ts';
import type { Subscription } from './subscription.ts';

export type Entry = {
  /** Without the balance. */
  readonly taken: Taken;
  readonly access: JobAccess;
  readonly batchId: string | null;
  /** Ledger number of the event that reserved it. */
  readonly reservedBy: number;
  /** Ledger number of the event that ended it; null while it is open. */
  endedBy: number | null;
  end: 'consumed' | 'released' | null;
};

/** A payment for reports, and how much of it was reversed since. */
export type Payment = {
  readonly paid: number;
  readonly funds: number;
  readonly currency: string;
  readonly refunded: number;
  /** Withheld by disputes that are open or lost. */
  readonly disputed: number;
  /** Funds taken back for refunds and disputes. */
  readonly takenBack: number;
};

/** A payment for a plan. */
export type PlanPayment = {
  /** Null as long as only its refunds are known. */
  readonly subscriptionId: string | null;
  /** Start of the period it paid for. */
  readonly periodStart: string;
  readonly amount: number;
  readonly refunded: number;
};

export type Dispute = {
  readonly status: 'open' | 'won' | 'lost';
  readonly amount: number;
  readonly paymentIntentId: string;
};

export type Unlock = { readonly status: 'paid' | 'returned'; readonly taken: Taken };

export type Customer = Pick<BillingEventData<'CustomerLinked'>, 'customerId' | 'mode'>;

/** Values of one object with the ledger numbers of the events that made them, oldest first. */
type Versions<T> = Map<string, { readonly by: number; readonly value: T }[]>;

export type Ledger = {
  /** Number of events in the ledger, numbered from 1. */
  events: number;
  /** Every audit ever reserved, by job. */
  readonly analyses: Map<string, Entry>;
  /** Jobs that were reserved together, in order. */
  readonly batches: Map<string, string[]>;
  readonly unlocks: Versions<Unlock>;
  readonly payments: Versions<Payment>;
  /** By payment intent, or by invoice if none was needed. */
  readonly planPayments: Versions<PlanPayment>;
  readonly disputes: Versions<Dispute>;
  /** The last tier of each subscription that has ended. */
  readonly ended: Versions<PaidTier>;
  /** Provider objects that count only once: refunds, invoices, grants. */
  readonly known: Versions<true>;
};

type Month = { readonly period: string; readonly used: Readonly<Partial<Record<PaidFrom, number>>> };

export type SiteCount = { readonly mark: number; readonly count: number };

export type BillingState = {
  readonly ledger: Ledger;
  /** The last ledger event visible to this state. */
  readonly upTo: number;
  /** Audits per period and source, reserved or consumed. A list, because copying a short one is cheap. */
  readonly months: readonly Month[];
  /** How many of these were used by deleted accounts with the same address. */
  readonly carried: Readonly<Record<string, number>>;
  /** Started audits that were cancelled and given back, on the last day (UTC) with any. */
  readonly cancelled: { readonly day: string; readonly count: number };
  /** Completed audits that could judge nothing and were given back on that day (UTC), by site, the latest last. */
  readonly unjudged: { readonly day: string; readonly sites: readonly SiteCount[] };
  readonly credits: number;
  /** May be negative after a refund or a dispute. */
  readonly funds: { readonly amount: number; readonly currency: string | null };
  /** Live ones, and the last one that ended. */
  readonly subscriptions: readonly Subscription[];
  readonly synced: { readonly outcome: 'in_step' | 'late' | 'failed'; readonly at: string } | null;
  /** Customer records at the provider, in the order they were linked. */
  readonly customers: readonly Customer[];
};

export const emptyLedger = (): Ledger => ({
  events: 0,
  analyses: new Map(),
  batches: new Map(),
  unlocks: new Map(),
  payments: new Map(),
  planPayments: new Map(),
  disputes: new Map(),
  ended: new Map(),
  known: new Map(),
});

/**
 * The ledger in which to record the event that follows `state`: its own, or a copy if another history has already
 * continued it.
 */
export function ledgerFor(state: BillingState): Ledger {
  const ledger = state.ledger.events === state.upTo ? state.ledger : copyFor(state);
  ledger.events += 1;
  return ledger;
}

/** Always a copy. */
export function newLedgerFor(state: BillingState): Ledger {
  const ledger = copyFor(state);
  ledger.events += 1;
  return ledger;
}

export function entryOf({ ledger, upTo }: BillingState, jobId: string): Entry | null {
  const entry = ledger.analyses.get(jobId);
  return entry && entry.reservedBy <= upTo ? entry : null;
}

/** @param upTo the last event that counts */
export const isOpen = ({ endedBy }: Entry, upTo: number): boolean => endedBy === null || endedBy > upTo;

export function addEntry({ analyses, batches }: Ledger, jobId: string, entry: Entry): void {
  analyses.set(jobId, entry);
  if (entry.batchId === null) return;
  const together = batches.get(entry.batchId);
  if (together) together.push(jobId);
  else batches.set(entry.batchId, [jobId]);
}

type Book = 'unlocks' | 'payments' | 'planPayments' | 'disputes' | 'ended' | 'known';
type ValueIn<B extends Book> = Ledger[B] extends Versions<infer T> ? T : never;

/** Null if unknown to the state. */
export function lookUp<B extends Book>({ ledger, upTo }: BillingState, book: B, id: string): ValueIn<B> | null {
  const versions = ledger[book].get(id) as { readonly by: number; readonly value: ValueIn<B> }[] | undefined;
  return versions?.findLast(({ by }) => by <= upTo)?.value ?? null;
}

/** Key into `known`. */
export const markOf = (kind: 'invoice' | 'refund' | 'grant', id: string): string => `${kind} ${id}`;

/** Records the value under the ledger's current event. */
export function write<T>(ledger: Ledger, book: Versions<T>, id: string, value: T): void {
  const version = { by: ledger.events, value };
  const versions = book.get(id);
  if (versions) versions.push(version);
  else book.set(id, [version]);
}

function copyFor({ ledger, upTo }: BillingState): Ledger {
  const copy = { ...emptyLedger(), events: upTo };
  for (const [jobId, entry] of ledger.analyses) {
    if (entry.reservedBy <= upTo)
      addEntry(copy, jobId, isOpen(entry, upTo) ? { ...entry, endedBy: null, end: null } : { ...entry });
  }
  copyVersions(ledger.unlocks, copy.unlocks, upTo);
  copyVersions(ledger.payments, copy.payments, upTo);
  copyVersions(ledger.planPayments, copy.planPayments, upTo);
  copyVersions(ledger.disputes, copy.disputes, upTo);
  copyVersions(ledger.ended, copy.ended, upTo);
  copyVersions(ledger.known, copy.known, upTo);
  return copy;
}

function copyVersions<T>(from: Versions<T>, to: Versions<T>, upTo: number): void {
  for (const [id, versions] of from) {
    const seen = versions.filter(({ by }) => by <= upTo);
    if (seen.length > 0) to.set(id, seen);
  }
}
