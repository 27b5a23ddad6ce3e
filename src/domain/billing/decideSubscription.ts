/**
 * Translates the provider's subscriptions into events. Commands carry the subscription's current state at the provider,
 * never the order of its messages: that state is compared with what is known, and the events are the difference. So
 * commands may be repeated, late, or in any order.
 */
import type { PaidTier } from '../../model/tiers.ts';
import { DomainError, unreachable } from '../decider.ts';
import type { PaidInvoice, SubscriptionEvent, SubscriptionStatus } from './events.ts';
import { type BillingState, lookUp, markOf } from './ledger.ts';
import { evolveSubscription, graceEnd, limitAfterChange, type Subscription } from './subscription.ts';
import { heldForPayment, resumed } from './suspension.ts';

type Invoice = {
  readonly invoiceId: string;
  /** Absent if the invoice has none. */
  readonly number?: string;
  readonly paymentIntentId: string | null;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
  /** Without discounts and taxes. */
  readonly listAmount: number;
  readonly discounts: NonNullable<PaidInvoice['discounts']>;
  readonly reason: 'start' | 'renewal' | 'change';
  readonly status: 'paid' | 'unpaid';
  /** When it was paid, or first failed. */
  readonly at: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  /** From when on it pays: the period's start, or for a change the moment of the change. */
  readonly from: string;
};

/** A subscription as reported by the provider. Times are UTC ISO. */
export type ProviderSubscription = {
  readonly subscriptionId: string;
  /** Null: its product is none of the plans. Ours all the same once the bill knows it; the former tier stays. */
  readonly tier: PaidTier | null;
  readonly productId: string;
  /** Mapped to our terms by `subscriptionStatusOf`. */
  readonly status: SubscriptionStatus;
  readonly price: number;
  readonly currency: string;
  /** Agreed to be paid a month, without what a lasting discount takes off. */
  readonly monthly: number;
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
      /** Null: it was for a product that is none of the plans. */
      readonly tier: PaidTier | null;
      readonly productId: string | null;
      readonly price: number;
      readonly invoice: Invoice;
      readonly asOf: string;
      readonly at: string;
    }
  /** The provider has no such subscription (anymore), whatever the bill says. */
  | {
      readonly type: 'RecordLostSubscription';
      readonly userId: string;
      readonly subscriptionId: string;
      readonly at: string;
    }
  /** An admin lifts a suspension; the reason is in the note. */
  | { readonly type: 'ResumeSubscription'; readonly userId: string; readonly noteId: string; readonly at: string }
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
    case 'RecordLostSubscription':
      return recordLost(command, state);
    case 'ResumeSubscription':
      return resumeSubscription(command, state);
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

/** What is reported, with a tier: the former one if the product is none of the plans. */
type Reported = Omit<ProviderSubscription, 'tier'> & { readonly tier: PaidTier; readonly isUnknownPlan: boolean };
type Compared = { readonly userId: string; readonly reported: Reported; readonly at: string };

/** One step of the comparison: the missing events for one aspect that may differ. */
type Step = (known: Subscription, compared: Compared, state: BillingState) => readonly SubscriptionEvent[];

/** Order matters: money first, then its consequences. */
const STEPS: readonly Step[] = [payment, failure, tier, pendingChange, cancellation, status, end];

function recordSubscription(
  { userId, subscription, at }: Command<'RecordSubscription'>,
  state: BillingState,
): readonly SubscriptionEvent[] {
  const { subscriptionId } = subscription;
  if (lookUp(state, 'ended', subscriptionId) !== null) return [];
  let known = recordedSubscription(state, subscriptionId);
  if (known && (subscription.asOf < known.asOf || subscription.periodStart < known.periodStart)) return [];
  const sold = subscription.tier ?? known?.tier;
  // Of another product of the same provider account.
  if (sold === undefined) return [];
  const compared = { userId, reported: { ...subscription, tier: sold, isUnknownPlan: subscription.tier === null }, at };
  const events: SubscriptionEvent[] = [];
  const add = (more: readonly SubscriptionEvent[]): void => {
    for (const event of more) {
      if (event.type === 'SubscriptionSynced') continue;
      events.push(event);
      known = evolveSubscription(known, event);
    }
  };
  if (!known) add(start(compared, state));
  const isNew = events.length > 0;
  for (const step of STEPS) {
    if (!known) break;
    // The first payment is part of the start event, but not of any state yet.
    if (!(isNew && step === payment)) add(step(known, compared, state));
  }
  return events;
}

function recordedSubscription({ subscriptions }: BillingState, subscriptionId: string): Subscription | null {
  return subscriptions.find((each) => each.subscriptionId === subscriptionId) ?? null;
}

const LIVE: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due'];

/** A subscription that was never live or paid for is ignored: an abandoned checkout leaves no trace. */
function start({ userId, reported, at }: Compared, state: BillingState): readonly SubscriptionEvent[] {
  const paid = newlyPaid(reported.invoice, state);
  if (!LIVE.includes(reported.status) && !paid) return [];
  const { subscriptionId, periodStart, periodEnd, asOf } = reported;
  // Later problems are covered by the events after this one.
  const began = reported.status === 'trialing' ? reported.status : 'active';
  const event: SubscriptionEvent = {
    type: 'SubscriptionStarted',
    data: {
      userId,
      subscriptionId,
      asOf,
      tier: reported.tier,
      status: began,
      ...soldFor(reported),
      periodStart,
      periodEnd,
      paid,
      startedAt: at,
    },
  };
  const known = evolveSubscription(null, event);
  return paid && known ? [event, ...heldForPayment(known, { userId, paid, at }, state)] : [event];
}

type Sold = Pick<Subscription, 'price' | 'currency' | 'monthly'> & { readonly productId: string };

const soldFor = ({ price, currency, monthly, productId }: Sold): Sold => ({ price, currency, monthly, productId });

function newlyPaid(invoice: Invoice | null, state: BillingState): PaidInvoice | null {
  if (invoice?.status !== 'paid' || lookUp(state, 'known', markOf('invoice', invoice.invoiceId))) return null;
  const { invoiceId, number, paymentIntentId, amount, currency, listAmount, discounts } = invoice;
  return {
    invoiceId,
    ...(number === undefined ? {} : { number }),
    paymentIntentId,
    amount,
    currency,
    listAmount,
    ...(discounts.length === 0 ? {} : { discounts }),
  };
}

type OfInvoice = {
  readonly userId: string;
  readonly subscriptionId: string;
  readonly tier: PaidTier;
  readonly price: number;
  readonly monthly?: number;
  readonly productId: string | null;
  readonly asOf: string;
  readonly at: string;
};

/** A payment for a change is recorded with the change; any other pays for a period. */
function paidEvents(
  of: OfInvoice,
  known: Subscription | null,
  invoice: Invoice,
  paid: PaidInvoice,
  state: BillingState,
): readonly SubscriptionEvent[] {
  const { userId, subscriptionId, tier: newTier, price, monthly, productId, asOf, at } = of;
  const { periodStart, periodEnd, currency, from } = invoice;
  const data = {
    userId,
    subscriptionId,
    tier: newTier,
    price,
    currency,
    ...(monthly === undefined ? {} : { monthly }),
    ...(productId === null ? {} : { productId }),
    periodStart,
    periodEnd,
    paid,
    asOf,
  };
  if (invoice.reason !== 'change') {
    const renewal: SubscriptionEvent = { type: 'SubscriptionRenewed', data: { ...data, renewedAt: at } };
    if (!known) return [renewal];
    const isLater = periodStart > known.periodStart;
    return [
      renewal,
      ...(isLater ? resumed(known, { userId, reason: 'paid', at }) : []),
      ...heldForPayment(evolveSubscription(known, renewal), { userId, paid, at }, state),
    ];
  }
  const limit = known ? limitAfterChange(known, newTier, { from, periodStart, periodEnd }) : null;
  const change: SubscriptionEvent = {
    type: 'SubscriptionChanged',
    data: {
      ...data,
      formerTier: known?.tier ?? newTier,
      ...(limit === null || known?.tier === newTier ? {} : { limit }),
      changedAt: at,
    },
  };
  return [change, ...heldForPayment(evolveSubscription(known, change), { userId, paid, at }, state)];
}

function payment(
  known: Subscription,
  { userId, reported, at }: Compared,
  state: BillingState,
): readonly SubscriptionEvent[] {
  const paid = newlyPaid(reported.invoice, state);
  return paid && reported.invoice ? paidEvents({ ...reported, userId, at }, known, reported.invoice, paid, state) : [];
}

/**
 * An invoice counts as failed once, however often it is retried; the grace period runs from the first failure, even
 * across several invoices.
 */
function failure(known: Subscription, { userId, reported }: Compared): readonly SubscriptionEvent[] {
  const { subscriptionId, status: now, invoice, asOf } = reported;
  if (now !== 'past_due' || invoice?.status !== 'unpaid' || invoice.invoiceId === known.failedInvoiceId) return [];
  const { invoiceId, amount, currency, periodStart, periodEnd, at: failedAt } = invoice;
  const graceEndsAt = known.graceEndsAt ?? graceEnd(failedAt);
  return [
    {
      type: 'SubscriptionPaymentFailed',
      data: {
        userId,
        subscriptionId,
        invoiceId,
        amount,
        currency,
        periodStart,
        periodEnd,
        graceEndsAt,
        asOf,
        failedAt,
      },
    },
  ];
}

function tier(known: Subscription, { userId, reported, at }: Compared): readonly SubscriptionEvent[] {
  const { subscriptionId, tier: newTier, asOf } = reported;
  if (newTier === known.tier) return [];
  const { tier: formerTier, periodStart, periodEnd } = known;
  const limit = limitAfterChange(known, newTier, { from: asOf, periodStart, periodEnd });
  return [
    {
      type: 'SubscriptionChanged',
      data: {
        userId,
        subscriptionId,
        formerTier,
        tier: newTier,
        ...(limit === null ? {} : { limit }),
        ...soldFor(reported),
        periodStart,
        periodEnd,
        paid: null,
        asOf,
        changedAt: at,
      },
    },
  ];
}

function pendingChange(known: Subscription, { userId, reported, at }: Compared): readonly SubscriptionEvent[] {
  const { subscriptionId, pending, asOf } = reported;
  const of = { userId, subscriptionId, asOf };
  if (!pending) return known.pending ? [{ type: 'SubscriptionChangeUndone', data: { ...of, undoneAt: at } }] : [];
  if (known.pending?.tier === pending.tier && known.pending.at === pending.at) return [];
  return [
    {
      type: 'SubscriptionChangeScheduled',
      data: { ...of, tier: pending.tier, effectiveAt: pending.at, scheduledAt: at },
    },
  ];
}

function cancellation(known: Subscription, { userId, reported, at }: Compared): readonly SubscriptionEvent[] {
  const { subscriptionId, cancelsAt, asOf } = reported;
  // An ended subscription was not reactivated.
  if (cancelsAt === known.cancelsAt || reported.status === 'canceled') return [];
  const of = { userId, subscriptionId, asOf };
  return cancelsAt === null
    ? [{ type: 'SubscriptionReactivated', data: { ...of, reactivatedAt: at } }]
    : [{ type: 'SubscriptionCancelScheduled', data: { ...of, cancelsAt, scheduledAt: at } }];
}

function status(known: Subscription, { userId, reported, at }: Compared): readonly SubscriptionEvent[] {
  const { subscriptionId, status: now, isUnknownPlan, productId, asOf } = reported;
  if (now === 'canceled' || (now === known.status && isUnknownPlan === known.isUnknownPlan)) return [];
  const graceEndsAt = now === 'past_due' ? (known.graceEndsAt ?? graceEnd(asOf)) : null;
  const plan = isUnknownPlan === known.isUnknownPlan ? {} : { unknownPlan: isUnknownPlan, productId };
  return [
    {
      type: 'SubscriptionStatusChanged',
      data: { userId, subscriptionId, status: now, graceEndsAt, ...plan, asOf, changedAt: at },
    },
  ];
}

function end(known: Subscription, { userId, reported, at }: Compared): readonly SubscriptionEvent[] {
  if (reported.status !== 'canceled') return [];
  const { subscriptionId, endedAt, asOf } = reported;
  return [
    {
      type: 'SubscriptionEnded',
      data: { userId, subscriptionId, tier: known.tier, asOf, endedAt: endedAt ?? at },
    },
  ];
}

function recordInvoice(command: Command<'RecordInvoice'>, state: BillingState): readonly SubscriptionEvent[] {
  const { subscriptionId, invoice } = command;
  const paid = newlyPaid(invoice, state);
  if (!paid) return [];
  const known = recordedSubscription(state, subscriptionId);
  const former = known?.tier ?? lookUp(state, 'ended', subscriptionId);
  if (former === null) throw new DomainError('SUBSCRIPTION_UNKNOWN', 'This subscription is not known yet.');
  // For a change, only the payment is recorded here; the current tier and price are the subscription's.
  const current =
    invoice.reason === 'change' && known
      ? { ...command, tier: known.tier, price: known.price, monthly: known.monthly, productId: known.productId }
      : { ...command, tier: command.tier ?? former };
  return paidEvents(current, known, invoice, paid, state);
}

/** Test data can be wiped at the provider: what was in them has ended. */
function recordLost(
  { userId, subscriptionId, at }: Command<'RecordLostSubscription'>,
  state: BillingState,
): readonly SubscriptionEvent[] {
  const known = recordedSubscription(state, subscriptionId);
  if (!known || known.status === 'canceled') return [];
  return [{ type: 'SubscriptionEnded', data: { userId, subscriptionId, tier: known.tier, asOf: at, endedAt: at } }];
}

/** @throws DomainError NOT_SUSPENDED */
function resumeSubscription(
  { userId, noteId, at }: Command<'ResumeSubscription'>,
  state: BillingState,
): readonly SubscriptionEvent[] {
  const events = state.subscriptions
    .filter((each) => each.status !== 'canceled')
    .flatMap((each) => resumed(each, { userId, reason: 'admin', noteId, at }));
  if (events.length === 0) throw new DomainError('NOT_SUSPENDED', 'This user has no plan on hold.');
  return events;
}
