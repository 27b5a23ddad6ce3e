/**
 * What a user has used and may still use, folded from the billing stream. For how states stay immutable, see
 * `ledger.ts`.
 */
import type { JobAccess } from '../../model/jobs.ts';
import { evolveMoney } from './balances.ts';
import { evolveCustomers } from './customer.ts';
import type { BillingEvent, BillingEventData, PaidFrom, Taken } from './events.ts';
import {
  addEntry,
  type BillingState,
  emptyLedger,
  entryOf,
  isOpen,
  type Ledger,
  ledgerFor,
  lookUp,
  markOf,
  newLedgerFor,
  write,
} from './ledger.ts';
import { evolveSubscriptions, planPeriod } from './subscription.ts';

export type Analysis = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  /** Calendar month (UTC, `2026-11`) it is charged to. */
  readonly period: string;
  readonly status: 'reserved' | 'consumed' | 'released';
};

export const initialState = (): BillingState => ({
  ledger: emptyLedger(),
  upTo: 0,
  months: [],
  carried: {},
  cancelled: { day: '', count: 0 },
  unjudged: { day: '', sites: [] },
  credits: 0,
  funds: { amount: 0, currency: null },
  subscriptions: [],
  synced: null,
  customers: [],
});

export function evolve(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'AnalysisReserved':
      return reserved(state, event.data);
    case 'AllowanceCarriedOver': {
      const { period, used } = event.data;
      return {
        ...state,
        months: counted(state.months, period, 'free_allowance', used),
        carried: { ...state.carried, [period]: used },
      };
    }
    case 'AnalysisConsumed':
      return ended(state, event.data.jobId, 'consumed');
    case 'AnalysisReleased':
      return released(state, event.data);
    case 'UnlockPaid':
      return unlockPaid(state, event.data);
    case 'UnlockReturned':
      return unlockReturned(state, event.data);
    case 'FundsAdded':
    case 'CreditsGranted':
    case 'PaymentRefunded':
    case 'DisputeOpened':
    case 'DisputeWon':
    case 'DisputeLost':
      return evolveMoney(state, event);
    case 'CustomerLinked':
      return { ...state, customers: evolveCustomers(state.customers, event.data) };
    case 'SubscriptionSynced':
      return { ...state, synced: { outcome: event.data.outcome, at: event.data.syncedAt } };
    default:
      return evolveSubscribed(state, event);
  }
}

type SubscribedEvent = Parameters<typeof evolveSubscriptions>[1];

function evolveSubscribed(state: BillingState, event: SubscribedEvent): BillingState {
  const subscriptions = evolveSubscriptions(state.subscriptions, event);
  if (event.type === 'SubscriptionEnded') {
    const ledger = ledgerFor(state);
    write(ledger, ledger.ended, event.data.subscriptionId, event.data.tier);
    return { ...state, ledger, upTo: ledger.events, subscriptions };
  }
  if (!('paid' in event.data) || !event.data.paid) return { ...state, subscriptions };
  const { paid, subscriptionId, periodStart } = event.data;
  const ledger = ledgerFor(state);
  write(ledger, ledger.known, markOf('invoice', paid.invoiceId), true);
  const paymentId = paid.paymentIntentId ?? paid.invoiceId;
  const refunded = lookUp(state, 'planPayments', paymentId)?.refunded ?? 0;
  write(ledger, ledger.planPayments, paymentId, { subscriptionId, periodStart, amount: paid.amount, refunded });
  return { ...state, ledger, upTo: ledger.events, subscriptions };
}

/** Number of started audits that were cancelled and given back that day (UTC, `2026-11-22`). */
export function cancelledOn({ cancelled }: BillingState, day: string): number {
  return cancelled.day === day ? cancelled.count : 0;
}

/** Number of audits of that site that could judge nothing and were given back that day (UTC, `2026-11-22`). */
export function unjudgedOn({ unjudged }: BillingState, day: string, siteMark: number): number {
  return unjudged.day === day ? (unjudged.sites.find(({ mark }) => mark === siteMark)?.count ?? 0) : 0;
}

/** Sites counted in a day; beyond that, the one that was audited longest ago is forgotten. */
const SITES_COUNTED = 100;

function countedUnjudged(state: BillingState, day: string, mark: number): BillingState['unjudged'] {
  const others = state.unjudged.day === day ? state.unjudged.sites.filter((site) => site.mark !== mark) : [];
  return { day, sites: [...others, { mark, count: unjudgedOn(state, day, mark) + 1 }].slice(-SITES_COUNTED) };
}

/** Null if no reservation was ever made for the job. */
export function analysisOf(state: BillingState, jobId: string): Analysis | null {
  const entry = entryOf(state, jobId);
  if (!entry) return null;
  const { taken, access, end } = entry;
  return {
    from: taken.from,
    access,
    period: taken.period,
    status: isOpen(entry, state.upTo) || !end ? 'reserved' : end,
  };
}

/** Whether anything was ever paid: a payment, whatever became of it, or a subscription. */
export const hasPaid = ({ ledger, subscriptions }: BillingState): boolean =>
  ledger.payments.size > 0 || subscriptions.length > 0;

/** The job's open reservation. Null if there is none or it has ended. */
export function openAnalysisOf(state: BillingState, jobId: string): Taken | null {
  const entry = entryOf(state, jobId);
  return entry && isOpen(entry, state.upTo) ? entry.taken : null;
}

/**
 * What an audit without a result gave back, or will once it is settled. Null if it was used up, or nothing was
 * reserved.
 */
export function givenBackFor(state: BillingState, jobId: string): Taken | null {
  const entry = entryOf(state, jobId);
  return entry && (isOpen(entry, state.upTo) || entry.end === 'released') ? entry.taken : null;
}

/**
 * The jobs reserved by one command, including this one, in order. Null if the reservation does not say, as in old logs.
 */
export function reservedTogether(state: BillingState, jobId: string): readonly string[] | null {
  const batchId = entryOf(state, jobId)?.batchId ?? null;
  const jobIds = batchId === null ? undefined : state.ledger.batches.get(batchId);
  return jobIds?.filter((other) => entryOf(state, other)?.batchId === batchId) ?? null;
}

/**
 * Audits of the period charged to that source, reserved or consumed. For a plan, the period is that of `planPeriod`.
 */
export function usedOf({ months }: Pick<BillingState, 'months'>, period: string, from: PaidFrom): number {
  return months.findLast((month) => month.period === period)?.used[from] ?? 0;
}

/** How many of these were used by earlier accounts with the same address rather than by this account. */
export const carriedOver = ({ carried }: BillingState, period: string): number => carried[period] ?? 0;

/** The calendar month of a UTC ISO time. */
export const periodOf = (at: string): string => at.slice(0, 7);

/** Null if the job's unlock was never paid for, or was returned. */
export function unlockOf(state: BillingState, jobId: string): Taken | null {
  const unlock = lookUp(state, 'unlocks', jobId);
  return unlock?.status === 'paid' ? unlock.taken : null;
}

/** What was taken, without owner or outcome. Runs for every event of a long bill, so it avoids object spread. */
function takenOf({ from, period, subscriptionId, periodStart, amount, currency }: Taken): Taken {
  if (subscriptionId !== undefined && periodStart !== undefined) return { from, period, subscriptionId, periodStart };
  return amount === undefined || currency === undefined ? { from, period } : { from, period, amount, currency };
}

function reserved(state: BillingState, data: BillingEventData<'AnalysisReserved'>): BillingState {
  const { jobId, access, batchId } = data;
  // An earlier state's entry for the job must stay intact; no decision leads to a second reservation.
  const ledger = state.ledger.analyses.has(jobId) ? newLedgerFor(state) : ledgerFor(state);
  const taken = takenOf(data);
  addEntry(ledger, jobId, {
    taken,
    access,
    batchId: batchId ?? null,
    reservedBy: ledger.events,
    endedBy: null,
    end: null,
  });
  return moved(state, ledger, taken, 1);
}

function released(
  state: BillingState,
  { jobId, begun, siteMark, releasedAt }: BillingEventData<'AnalysisReleased'>,
): BillingState {
  const after = ended(state, jobId, 'released');
  if (after === state) return state;
  const day = releasedAt.slice(0, 10);
  if (siteMark !== undefined) return { ...after, unjudged: countedUnjudged(state, day, siteMark) };
  return begun ? { ...after, cancelled: { day, count: cancelledOn(state, day) + 1 } } : after;
}

function ended(state: BillingState, jobId: string, end: 'consumed' | 'released'): BillingState {
  const known = entryOf(state, jobId);
  if (!known || !isOpen(known, state.upTo)) return state;
  const ledger = ledgerFor(state);
  const entry = ledger.analyses.get(jobId) ?? known;
  entry.endedBy = ledger.events;
  entry.end = end;
  return end === 'released' ? moved(state, ledger, entry.taken, -1) : { ...state, ledger, upTo: ledger.events };
}

function unlockPaid(state: BillingState, data: BillingEventData<'UnlockPaid'>): BillingState {
  const ledger = ledgerFor(state);
  const taken = takenOf(data);
  write(ledger, ledger.unlocks, data.jobId, { status: 'paid', taken });
  return moved(state, ledger, taken, 1);
}

function unlockReturned(state: BillingState, { jobId }: BillingEventData<'UnlockReturned'>): BillingState {
  const taken = unlockOf(state, jobId);
  if (!taken) return state;
  const ledger = ledgerFor(state);
  write(ledger, ledger.unlocks, jobId, { status: 'returned', taken });
  return moved(state, ledger, taken, -1);
}

/** Takes from the source (1) or gives back to it (-1). */
function moved(state: BillingState, ledger: Ledger, taken: Taken, change: 1 | -1): BillingState {
  const { carried, cancelled, unjudged, subscriptions, synced, customers } = state;
  const { from, amount = 0 } = taken;
  const months = counted(state.months, countedIn(taken), from, change);
  const credits = from === 'credits' ? state.credits - change : state.credits;
  const funds =
    from === 'funds' ? { amount: state.funds.amount - change * amount, currency: state.funds.currency } : state.funds;
  const money = { credits, funds, subscriptions, synced, customers };
  return { ledger, upTo: ledger.events, months, carried, cancelled, unjudged, ...money };
}

/** A plan's own period; otherwise the calendar month. */
export function countedIn({ period, subscriptionId, periodStart }: Taken): string {
  return subscriptionId === undefined || periodStart === undefined ? period : planPeriod(subscriptionId, periodStart);
}

function counted(
  months: BillingState['months'],
  period: string,
  from: PaidFrom,
  change: number,
): BillingState['months'] {
  const at = months.findLastIndex((month) => month.period === period);
  const used = months[at]?.used ?? {};
  const month = { period, used: { ...used, [from]: (used[from] ?? 0) + change } };
  return at < 0 ? [...months, month] : months.with(at, month);
}
