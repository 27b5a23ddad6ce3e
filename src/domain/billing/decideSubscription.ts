/**
 * Translates the provider's subscriptions into events. Commands carry the subscription's current state at the provider,
 * never the order of its messages: that state is compared with what is known, and the events are the difference. So
 * commands may be repeated, late, or in any order.
 */
import type { PaidTier } from '../../model/tiers.ts';
import { DomainError, unreachable } from '../decider.ts';
import type { PaidInvoice, SubscriptionEvent, SubscriptionStatus } from './events.ts';
import { type BillingState, lookUp, markOf } from './ledger.ts';
import { evolveSubscription, graceEnd, type Subscription } from './subscription.ts';

type Invoice = {
  readonly invoiceId: string;
  /** Absent if the invoice has none. */
  readonly number?: string;
  readonly paymentIntentId: string | null;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
  readonly reason: 'start' | 'renewal' | 'change';
  readonly status: 'paid' | 'unpaid';
  /** When it was paid, or first failed. */
  readonly at: string;
  readonly periodStart: string;
  readonly periodEnd: string;
};

/** A subscription as reported by the provider. Times are UTC ISO. */
export type ProviderSubscription = {
  readonly subscriptionId: string;
  readonly tier: PaidTier;
  /** Mapped to our terms by `subscriptionStatusOf`. */
  readonly status: SubscriptionStatus;
  readonly price: number;
  readonly currency: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly pending: { readonly tier: PaidTier; readonly at: string } | null;
  readonly cancelsAt: string | null;
  readonly endedAt: string | null;
  /** The latest finalized invoice. */
  readonly invoice: Invoice | null;
  /** When the provider was queried: before its response. */
  readonly asOf: string;
};

export type SubscriptionCommand =
  | {
      readonly type: 'RecordSubscription';
      readonly userId: string;
      readonly subscription: ProviderSubscription;
      readonly at: string;
    }
  /** A paid invoice, possibly an old one. */
  | {
      readonly type: 'RecordInvoice';
      readonly userId: string;
      readonly subscriptionId: string;
      readonly tier: PaidTier;
      readonly price: number;
      readonly invoice: Invoice;
      readonly asOf: string;
      readonly at: string;
    }
  /** `asked`: requested by the user, who sees the time; otherwise only a change is recorded. */
  | {
      readonly type: 'RecordSync';
      readonly userId: string;
      readonly outcome: 'in_step' | 'late' | 'failed';
      readonly asked: boolean;
      readonly at: string;
    };

type Command<Type extends SubscriptionCommand['type']> = Extract<SubscriptionCommand, { readonly type: Type }>;

/**
 * @throws DomainError SUBSCRIPTION_UNKNOWN for an invoice of an unknown subscription: record the subscription first,
 *   then retry
 */
export function decideSubscription(command: SubscriptionCommand, state: BillingState): readonly SubscriptionEvent[] {
  switch (command.type) {
    case 'RecordSubscription':
      return recordSubscription(command, state);
    case 'RecordInvoice':
      return recordInvoice(command, state);
    case 'RecordSync': {
      const { userId, outcome, asked, at } = command;
      return asked || (state.synced?.outcome ?? 'in_step') !== outcome
        ? [{ type: 'SubscriptionSynced', data: { userId, outcome, syncedAt: at } }]
        : [];
    }
    default:
      return unreachable(command);
  }
}

/** One step of the comparison: the missing event for one aspect that may differ. */
type Step = (
  known: Subscription,
  command: Command<'RecordSubscription'>,
  state: BillingState,
) => SubscriptionEvent | null;

/** Order matters: money first, then its consequences. */
const STEPS: readonly Step[] = [payment, failure, tier, pendingChange, cancellation, status, end];

function recordSubscription(command: Command<'RecordSubscription'>, state: BillingState): readonly SubscriptionEvent[] {
  const { subscription: reported } = command;
  if (lookUp(state, 'known', markOf('ended', reported.subscriptionId))) return [];
  let known = recordedSubscription(state, reported.subscriptionId);
  if (known && (reported.asOf < known.asOf || reported.periodStart < known.periodStart)) return [];
  const events: SubscriptionEvent[] = [];
  const add = (event: SubscriptionEvent | null): void => {
    if (!event || event.type === 'SubscriptionSynced') return;
    events.push(event);
    known = evolveSubscription(known, event);
  };
  if (!known) add(start(command, state));
  const isNew = events.length > 0;
  for (const step of STEPS) {
    if (!known) break;
    // The first payment is part of the start event, but not of any state yet.
    if (!(isNew && step === payment)) add(step(known, command, state));
  }
  return events;
}

function recordedSubscription({ subscriptions }: BillingState, subscriptionId: string): Subscription | null {
  return subscriptions.find((each) => each.subscriptionId === subscriptionId) ?? null;
}

const LIVE: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due'];

/** A subscription that was never live or paid for is ignored: an abandoned checkout leaves no trace. */
function start(
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
  state: BillingState,
): SubscriptionEvent | null {
  const paid = newlyPaid(reported.invoice, state);
  if (!LIVE.includes(reported.status) && !paid) return null;
  const { subscriptionId, tier, price, currency, periodStart, periodEnd, asOf } = reported;
  const of = { userId, subscriptionId, asOf };
  // Later problems are covered by the events after this one.
  const began = reported.status === 'trialing' ? reported.status : 'active';
  return {
    type: 'SubscriptionStarted',
    data: { ...of, tier, status: began, price, currency, periodStart, periodEnd, paid, startedAt: at },
  };
}

function newlyPaid(invoice: Invoice | null, state: BillingState): PaidInvoice | null {
  if (invoice?.status !== 'paid' || lookUp(state, 'known', markOf('invoice', invoice.invoiceId))) return null;
  const { invoiceId, number, paymentIntentId, amount, currency } = invoice;
  return { invoiceId, ...(number === undefined ? {} : { number }), paymentIntentId, amount, currency };
}

type OfInvoice = Pick<Command<'RecordInvoice'>, 'userId' | 'subscriptionId' | 'tier' | 'price' | 'asOf' | 'at'>;

/** A payment for a change is recorded with the change; any other pays for a period. */
function paidEvent(of: OfInvoice, formerTier: PaidTier, invoice: Invoice, paid: PaidInvoice): SubscriptionEvent {
  const { userId, subscriptionId, tier: newTier, price, asOf, at } = of;
  const { periodStart, periodEnd, currency } = invoice;
  const data = { userId, subscriptionId, tier: newTier, price, currency, periodStart, periodEnd, paid, asOf };
  return invoice.reason === 'change'
    ? { type: 'SubscriptionChanged', data: { ...data, formerTier, changedAt: at } }
    : { type: 'SubscriptionRenewed', data: { ...data, renewedAt: at } };
}

function payment(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
  state: BillingState,
): SubscriptionEvent | null {
  const paid = newlyPaid(reported.invoice, state);
  return paid && reported.invoice ? paidEvent({ ...reported, userId, at }, known.tier, reported.invoice, paid) : null;
}

/**
 * An invoice counts as failed once, however often it is retried; the grace period runs from the first failure, even
 * across several invoices.
 */
function failure(
  known: Subscription,
  { userId, subscription: reported }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  const { subscriptionId, status: now, invoice, asOf } = reported;
  if (now !== 'past_due' || invoice?.status !== 'unpaid' || invoice.invoiceId === known.failedInvoiceId) return null;
  const { invoiceId, amount, currency, periodStart, periodEnd, at: failedAt } = invoice;
  const graceEndsAt = known.graceEndsAt ?? graceEnd(failedAt);
  return {
    type: 'SubscriptionPaymentFailed',
    data: { userId, subscriptionId, invoiceId, amount, currency, periodStart, periodEnd, graceEndsAt, asOf, failedAt },
  };
}

function tier(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  const { subscriptionId, tier: newTier, price, currency, asOf } = reported;
  if (newTier === known.tier) return null;
  const { tier: formerTier, periodStart, periodEnd } = known;
  return {
    type: 'SubscriptionChanged',
    data: {
      userId,
      subscriptionId,
      formerTier,
      tier: newTier,
      price,
      currency,
      periodStart,
      periodEnd,
      paid: null,
      asOf,
      changedAt: at,
    },
  };
}

function pendingChange(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  const { subscriptionId, pending, asOf } = reported;
  const of = { userId, subscriptionId, asOf };
  if (!pending) return known.pending ? { type: 'SubscriptionChangeUndone', data: { ...of, undoneAt: at } } : null;
  if (known.pending?.tier === pending.tier && known.pending.at === pending.at) return null;
  return {
    type: 'SubscriptionChangeScheduled',
    data: { ...of, tier: pending.tier, effectiveAt: pending.at, scheduledAt: at },
  };
}

function cancellation(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  const { subscriptionId, cancelsAt, asOf } = reported;
  // An ended subscription was not reactivated.
  if (cancelsAt === known.cancelsAt || reported.status === 'canceled') return null;
  const of = { userId, subscriptionId, asOf };
  return cancelsAt === null
    ? { type: 'SubscriptionReactivated', data: { ...of, reactivatedAt: at } }
    : { type: 'SubscriptionCancelScheduled', data: { ...of, cancelsAt, scheduledAt: at } };
}

function status(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  const { subscriptionId, status: now, asOf } = reported;
  if (now === known.status || now === 'canceled') return null;
  const graceEndsAt = now === 'past_due' ? (known.graceEndsAt ?? graceEnd(asOf)) : null;
  return {
    type: 'SubscriptionStatusChanged',
    data: { userId, subscriptionId, status: now, graceEndsAt, asOf, changedAt: at },
  };
}

function end(
  known: Subscription,
  { userId, subscription: reported, at }: Command<'RecordSubscription'>,
): SubscriptionEvent | null {
  if (reported.status !== 'canceled') return null;
  const { subscriptionId, endedAt, asOf } = reported;
  return {
    type: 'SubscriptionEnded',
    data: { userId, subscriptionId, tier: known.tier, asOf, endedAt: endedAt ?? at },
  };
}

function recordInvoice(command: Command<'RecordInvoice'>, state: BillingState): readonly SubscriptionEvent[] {
  const { subscriptionId, invoice } = command;
  const paid = newlyPaid(invoice, state);
  if (!paid) return [];
  const known = recordedSubscription(state, subscriptionId);
  if (!known && !lookUp(state, 'known', markOf('ended', subscriptionId)))
    throw new DomainError('SUBSCRIPTION_UNKNOWN', 'This subscription is not known yet.');
  // For a change, only the payment is recorded here; the current tier and price are the subscription's.
  const current = invoice.reason === 'change' && known ? { ...command, tier: known.tier, price: known.price } : command;
  return [paidEvent(current, known?.tier ?? command.tier, invoice, paid)];
}
