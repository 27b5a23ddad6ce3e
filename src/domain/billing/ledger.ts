/**
 * What one user has paid, used and may still use. The stream is never truncated and may hold hundreds of thousands of events, so folding one more must
 * cost the same however many there are: the states of one history share a ledger that each event writes into, and every entry says which event made
 * it. A state passes over what came after it, so to whoever holds it, it never changes.
 */
import type { JobAccess } from '../../model/jobs.ts';
import type { BillingEventData, PaidFrom, Taken } from './events.ts';
import type { Subscription } from './subscription.ts';

export type Entry = {
  /** Without its balance. */
  readonly taken: Taken;
  readonly access: JobAccess;
  readonly batchId: string | null;
  /** The number of the event that reserved it, in the ledger. */
  readonly reservedBy: number;
  /** Of the event that ended it; null while it is open. */
  endedBy: number | null;
  end: 'consumed' | 'released' | null;
};

/** What paid for reports: how much of it went back since. */
export type Payment = {
  readonly paid: number;
  readonly funds: number;
  readonly currency: string;
  readonly refunded: number;
  /** In disputes that are open or lost. */
  readonly disputed: number;
  /** Funds that were taken back for both. */
  readonly takenBack: number;
};

export type Dispute = { readonly status: 'open' | 'won' | 'lost'; readonly amount: number; readonly paymentIntentId: string };

export type Unlock = { readonly status: 'paid' | 'returned'; readonly taken: Taken };

export type Customer = Pick<BillingEventData<'CustomerLinked'>, 'customerId' | 'mode'>;

/** The values of a thing with the numbers of the events that made them, oldest first. */
type Versions<T> = Map<string, { readonly by: number; readonly value: T }[]>;

export type Ledger = {
  /** How many events it holds, numbered from 1. */
  events: number;
  /** Every analysis ever reserved, by job. */
  readonly analyses: Map<string, Entry>;
  /** The jobs that were reserved together, in their order. */
  readonly batches: Map<string, string[]>;
  readonly unlocks: Versions<Unlock>;
  readonly payments: Versions<Payment>;
  readonly disputes: Versions<Dispute>;
  /** Things of the provider that count once: refunds, invoices, grants, subscriptions that have ended. */
  readonly known: Versions<true>;
};

type Month = { readonly period: string; readonly used: Readonly<Partial<Record<PaidFrom, number>>> };

export type BillingState = {
  readonly ledger: Ledger;
  /** The last event of the ledger that this state knows of. */
  readonly upTo: number;
  /** Analyses of each period by source: reserved or consumed. A list, because of a short one a changed copy is made in no time. */
  readonly months: readonly Month[];
  /** What of them accounts of the same address had used that were deleted before. */
  readonly carried: Readonly<Record<string, number>>;
  /** Analyses that were begun, cancelled and given back on the last day (UTC) on which there were any. */
  readonly cancelled: { readonly day: string; readonly count: number };
  readonly credits: number;
  /** May be below nothing after a refund or a dispute. */
  readonly funds: { readonly amount: number; readonly currency: string | null };
  /** Those that are live, and the last one that was. */
  readonly subscriptions: readonly Subscription[];
  readonly synced: { readonly outcome: 'in_step' | 'late' | 'failed'; readonly at: string } | null;
  /** Who the account is to the provider, in the order in which they were linked. */
  readonly customers: readonly Customer[];
};

export const emptyLedger = (): Ledger => ({
  events: 0,
  analyses: new Map(),
  batches: new Map(),
  unlocks: new Map(),
  payments: new Map(),
  disputes: new Map(),
  known: new Map(),
});

/** The ledger to write what follows on `state` into, with one more event: its own, unless another history has been written there since. */
export function ledgerFor(state: BillingState): Ledger {
  const ledger = state.ledger.events === state.upTo ? state.ledger : copyFor(state);
  ledger.events += 1;
  return ledger;
}

/** Its own in any case. */
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

export function enter({ analyses, batches }: Ledger, jobId: string, entry: Entry): void {
  analyses.set(jobId, entry);
  if (entry.batchId === null) return;
  const together = batches.get(entry.batchId);
  if (together) together.push(jobId);
  else batches.set(entry.batchId, [jobId]);
}

type Book = 'unlocks' | 'payments' | 'disputes' | 'known';
type ValueIn<B extends Book> = Ledger[B] extends Versions<infer T> ? T : never;

/** Null when the state knows of none. */
export function lookUp<B extends Book>({ ledger, upTo }: BillingState, book: B, id: string): ValueIn<B> | null {
  const versions = ledger[book].get(id) as { readonly by: number; readonly value: ValueIn<B> }[] | undefined;
  return versions?.findLast(({ by }) => by <= upTo)?.value ?? null;
}

/** By which `known` has it. */
export const markOf = (kind: 'ended' | 'invoice' | 'refund' | 'grant', id: string): string => `${kind} ${id}`;

/** By the event that the ledger was opened for. */
export function write<T>(ledger: Ledger, book: Versions<T>, id: string, value: T): void {
  const version = { by: ledger.events, value };
  const versions = book.get(id);
  if (versions) versions.push(version);
  else book.set(id, [version]);
}

function copyFor({ ledger, upTo }: BillingState): Ledger {
  const copy = { ...emptyLedger(), events: upTo };
  for (const [jobId, entry] of ledger.analyses) {
    if (entry.reservedBy <= upTo) enter(copy, jobId, isOpen(entry, upTo) ? { ...entry, endedBy: null, end: null } : { ...entry });
  }
  copyVersions(ledger.unlocks, copy.unlocks, upTo);
  copyVersions(ledger.payments, copy.payments, upTo);
  copyVersions(ledger.disputes, copy.disputes, upTo);
  copyVersions(ledger.known, copy.known, upTo);
  return copy;
}

function copyVersions<T>(from: Versions<T>, to: Versions<T>, upTo: number): void {
  for (const [id, versions] of from) {
    const seen = versions.filter(({ by }) => by <= upTo);
    if (seen.length > 0) to.set(id, seen);
  }
}
