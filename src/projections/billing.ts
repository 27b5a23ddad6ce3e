/** Each user's monthly usage, and what is left to pay with. */
import { countedIn } from '../domain/billing/billing.ts';
import { evolveCustomers } from '../domain/billing/customer.ts';
import { BILLING_EVENTS, type BillingEvent, type Taken } from '../domain/billing/events.ts';
import type { BillingState } from '../domain/billing/ledger.ts';
import type { Balances } from '../domain/billing/sources.ts';
import { evolveSubscriptions } from '../domain/billing/subscription.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Documents, StoredDocument } from '../readModels/readModels.ts';
import { each, projection } from './projection.ts';

export type BillingDocument = Pick<BillingState, 'credits' | 'funds' | 'subscriptions' | 'synced' | 'customers'> & {
  readonly userId: string;
  /**
   * Audits paid by the free allowance, reserved or consumed, by calendar month (UTC, `2026-11`); includes those of
   * deleted accounts with the same address.
   */
  readonly periods: Readonly<Record<string, number>>;
  /** Audits paid by a plan, by subscription period (`planPeriod`). */
  readonly planPeriods: Readonly<Record<string, number>>;
  /**
   * Audits reserved for running jobs, by job, but only if the event that ends the reservation will not say what it
   * gives back: those of old logs. Nothing is kept for any others, so the document stays small however many jobs wait.
   */
  readonly open: Readonly<Record<string, Pick<Taken, 'period' | 'from'>>>;
  /** Audits with a result, whatever paid for them. */
  readonly consumed: number;
};

export const billing = projection<BillingDocument>()({
  name: 'billing',
  version: 4,
  indexes: [],
  keys: ({ data }) => [data.userId],
  on: each(Object.keys(BILLING_EVENTS) as BillingEvent['type'][], (bill: BillingDocument | null, event) =>
    evolveBill(bill ?? emptyBill(event.data.userId), event),
  ),
});

export const emptyBill = (userId: string): BillingDocument => ({
  userId,
  periods: {},
  planPeriods: {},
  open: {},
  consumed: 0,
  credits: 0,
  funds: { amount: 0, currency: null },
  subscriptions: [],
  synced: null,
  customers: [],
});

function evolveBill(bill: BillingDocument, event: Recorded<BillingEvent>): BillingDocument {
  switch (event.type) {
    case 'AnalysisReserved': {
      const { jobId, period, from, batchId } = event.data;
      return {
        ...moved(bill, event.data, 1),
        ...(batchId === undefined ? { open: { ...bill.open, [jobId]: { period, from } } } : {}),
      };
    }
    case 'AllowanceCarriedOver':
      return { ...bill, periods: counted(bill.periods, event.data.period, event.data.used) };
    case 'AnalysisConsumed':
      return { ...bill, open: without(bill.open, event.data.jobId), consumed: bill.consumed + 1 };
    case 'AnalysisReleased': {
      const { jobId, period, from } = event.data;
      const taken = period !== undefined && from !== undefined ? { ...event.data, period, from } : bill.open[jobId];
      return taken ? { ...moved(bill, taken, -1), open: without(bill.open, jobId) } : bill;
    }
    case 'UnlockPaid':
      return moved(bill, event.data, 1);
    case 'UnlockReturned':
      return moved(bill, event.data, -1);
    case 'FundsAdded':
      return { ...bill, funds: { amount: event.data.balance, currency: event.data.currency } };
    case 'PaymentRefunded':
    case 'DisputeOpened':
    case 'DisputeWon':
    case 'DisputeLost':
      return { ...bill, funds: { ...bill.funds, amount: event.data.balance } };
    case 'CreditsGranted':
      return { ...bill, credits: event.data.balance };
    case 'CustomerLinked':
      return { ...bill, customers: evolveCustomers(bill.customers, event.data) };
    case 'SubscriptionSynced':
      return { ...bill, synced: { outcome: event.data.outcome, at: event.data.syncedAt } };
    default:
      return { ...bill, subscriptions: evolveSubscriptions(bill.subscriptions, event) };
  }
}

/** Takes from the source (1) or gives back to it (-1). */
function moved(bill: BillingDocument, taken: Taken, change: 1 | -1): BillingDocument {
  const { from, balance } = taken;
  switch (from) {
    case 'admin':
      return bill;
    case 'free_allowance':
      return { ...bill, periods: counted(bill.periods, countedIn(taken), change) };
    case 'plan':
      return { ...bill, planPeriods: counted(bill.planPeriods, countedIn(taken), change) };
    case 'credits':
      return balance === undefined ? bill : { ...bill, credits: balance };
    case 'funds':
      return balance === undefined ? bill : { ...bill, funds: { ...bill.funds, amount: balance } };
    default:
      from satisfies never;
      return bill;
  }
}

function counted(
  counts: Readonly<Record<string, number>>,
  period: string,
  change: number,
): Readonly<Record<string, number>> {
  return { ...counts, [period]: (counts[period] ?? 0) + change };
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

/** In the form that the domain rules expect. */
export function balancesOf({ periods, planPeriods, credits, funds, subscriptions }: BillingDocument): Balances {
  const free = Object.entries(periods).map(([period, used]) => ({ period, used: { free_allowance: used } }));
  const plan = Object.entries(planPeriods).map(([period, used]) => ({ period, used: { plan: used } }));
  return { months: [...free, ...plan], credits, funds, subscriptions };
}

export function getBilling(readModels: Documents, userId: string): Promise<StoredDocument<BillingDocument> | null> {
  return readModels.get('billing', userId);
}
