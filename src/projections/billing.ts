/** What each user has used, month by month. */
import type { BillingEvent, PaidFrom } from '../domain/billing/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type BillingDocument = {
  readonly userId: string;
  /** Analyses taken from the free allowance, reserved or consumed, by calendar month (UTC, `2026-11`); also those of deleted accounts of the same address. */
  readonly periods: Readonly<Record<string, number>>;
  /**
   * Analyses reserved for jobs under way, by job, as far as the event that ends the reservation will not say what it gives back: those of old logs.
   * Of all others the document keeps nothing, so that it stays small however many jobs wait.
   */
  readonly open: Readonly<Record<string, { readonly period: string; readonly from: PaidFrom }>>;
  /** Analyses with a result, whatever paid for them. */
  readonly consumed: number;
};

export const billing: Projection<BillingDocument, BillingEvent> = {
  name: 'billing',
  version: 3,
  indexes: [],
  handles: ['AnalysisReserved', 'AllowanceCarriedOver', 'AnalysisConsumed', 'AnalysisReleased'],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    const bill = document ?? { userId: event.data.userId, periods: {}, open: {}, consumed: 0 };
    return evolveBill(bill, event);
  },
};

function evolveBill(bill: BillingDocument, event: Recorded<BillingEvent>): BillingDocument {
  switch (event.type) {
    case 'AnalysisReserved': {
      const { jobId, period, from, batchId } = event.data;
      const open = batchId === undefined ? { ...bill.open, [jobId]: { period, from } } : bill.open;
      return { ...bill, periods: counted(bill, period, from, 1), open };
    }
    case 'AllowanceCarriedOver':
      return { ...bill, periods: counted(bill, event.data.period, 'free_allowance', event.data.used) };
    case 'AnalysisConsumed':
      return { ...bill, open: without(bill.open, event.data.jobId), consumed: bill.consumed + 1 };
    case 'AnalysisReleased': {
      const { jobId, period, from } = event.data;
      const taken = period !== undefined && from !== undefined ? { period, from } : bill.open[jobId];
      if (!taken) return bill;
      return { ...bill, periods: counted(bill, taken.period, taken.from, -1), open: without(bill.open, jobId) };
    }
    default:
      event satisfies never;
      return bill;
  }
}

function counted({ periods }: BillingDocument, period: string, from: PaidFrom, change: number): BillingDocument['periods'] {
  return from === 'free_allowance' ? { ...periods, [period]: (periods[period] ?? 0) + change } : periods;
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

export function getBilling(readModels: ReadModels, userId: string): Promise<StoredDocument<BillingDocument> | null> {
  return readModels.get('billing', userId);
}
