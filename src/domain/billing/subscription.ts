/** One subscription, folded from its events, and the rights it grants. */
import { orderOfTier, type PaidTier, type Tier } from '../../model/tiers.ts';
import type { SubscriptionEvent, SubscriptionStatus } from './events.ts';
import { planOf } from './plans.ts';

export type Subscription = {
  readonly subscriptionId: string;
  readonly tier: PaidTier;
  readonly status: SubscriptionStatus;
  readonly periodStart: string;
  readonly periodEnd: string;
  /** The list price of one period, in cents. */
  readonly price: number;
  readonly currency: string;
  /** What was agreed to be paid a month. */
  readonly monthly: number;
  /** The provider's product; null: recorded by a version that did not keep it. */
  readonly productId: string | null;
  /** That product is none of the plans: the tier is the former one. */
  readonly isUnknownPlan: boolean;
  /** Audits of the current period where they are not the tier's. */
  readonly limit: number | null;
  /** An upgrade adds only the paid share of its audits. Periods that began before this was recorded keep the tier's. */
  readonly isProrated: boolean;
  /** What its rights are on hold for (`heldFor`); empty: nothing. */
  readonly suspendedFor: readonly string[];
  /** A change scheduled for the end of the period. */
  readonly pending: { readonly tier: PaidTier; readonly at: string } | null;
  readonly cancelsAt: string | null;
  /** For past_due: the plan stays unchanged until then. */
  readonly graceEndsAt: string | null;
  /** The unpaid invoice. */
  readonly failedInvoiceId: string | null;
  readonly asOf: string;
};

type SubscriptionUpdate = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionSynced' }>;

const DAY_MS = 24 * 60 * 60 * 1_000;
const GRACE_DAYS = 7;

export const graceEnd = (failedAt: string): string =>
  new Date(Date.parse(failedAt) + GRACE_DAYS * DAY_MS).toISOString();

/**
 * Whether the plan's audits may be used at that time (UTC ISO). A cancelled plan ends on time, even if its end has not
 * been reported yet.
 */
export function hasRights({ status, cancelsAt, graceEndsAt, suspendedFor }: Subscription, at: string): boolean {
  if (suspendedFor.length > 0 || (cancelsAt !== null && at >= cancelsAt)) return false;
  return (
    status === 'active' || status === 'trialing' || (status === 'past_due' && graceEndsAt !== null && at < graceEndsAt)
  );
}

/** The relevant subscription: the best one with rights, otherwise the most recent. Null if there was none. */
export function currentSubscription(subscriptions: readonly Subscription[], at: string): Subscription | null {
  const [best] = subscriptions
    .filter((each) => hasRights(each, at))
    .toSorted((a, b) => orderOfTier(b.tier) - orderOfTier(a.tier));
  return best ?? subscriptions.at(-1) ?? null;
}

/** The tier whose rights apply at that time (UTC ISO). */
export function tierAt(subscriptions: readonly Subscription[], at: string): Tier {
  const subscription = currentSubscription(subscriptions, at);
  return subscription && hasRights(subscription, at) ? subscription.tier : 'free';
}

/** Key for counting the audits of one subscription period. */
export const planPeriod = (subscriptionId: string, periodStart: string): string => `${subscriptionId}@${periodStart}`;

/** Audits that the current period includes. */
export const limitOf = ({ limit, tier }: Subscription): number => limit ?? planOf(tier).analysesPerMonth;

/** Audits left in the period; `used` is counted by `planPeriod`. */
export function planLeft(subscription: Subscription, used: number, at: string): number {
  return hasRights(subscription, at) ? Math.max(0, limitOf(subscription) - used) : 0;
}

/** The part of a period that a change of the plan pays for: from then to the period's end. UTC ISO. */
export type PaidShare = { readonly from: string; readonly periodStart: string; readonly periodEnd: string };

/**
 * Audits of the period after a change to that tier: an upgrade adds the difference × the share of the period that is
 * paid, rounded up. Null: the tier's number.
 */
export function limitAfterChange(known: Subscription, tier: PaidTier, share: PaidShare): number | null {
  if (!known.isProrated || share.periodStart > known.periodStart) return null;
  const [was, is] = [planOf(known.tier).analysesPerMonth, planOf(tier).analysesPerMonth];
  const [start, end] = [Date.parse(share.periodStart), Date.parse(share.periodEnd)];
  const paidMs = end - Math.min(end, Math.max(start, Date.parse(share.from)));
  const added = is > was && end > start ? Math.ceil(((is - was) * paidMs) / (end - start)) : 0;
  const limit = Math.min(is, limitOf(known) + added);
  return limit === is ? null : limit;
}

/** What a suspension is for: each counts once. */
export const heldFor = (reason: 'disputed' | 'refunded', id: string): string => `${reason} ${id}`;

/** Why its rights are on hold; null if they are not. */
export function holdOf({ suspendedFor: [first] }: Subscription): 'disputed' | 'refunded' | null {
  if (first === undefined) return null;
  return first.startsWith('disputed') ? 'disputed' : 'refunded';
}

/** Maps the provider's status to ours. An unknown status grants no rights. */
export function subscriptionStatusOf(theirs: string): SubscriptionStatus {
  return STATUS_OF.get(theirs) ?? 'inactive';
}

/** Whether the provider's status has a mapping. */
export const isKnownStatus = (theirs: string): boolean => STATUS_OF.has(theirs);

const STATUS_OF: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['active', 'active'],
  ['trialing', 'trialing'],
  ['past_due', 'past_due'],
  ['canceled', 'canceled'],
  ['unpaid', 'unpaid'],
  ['incomplete', 'inactive'],
  ['incomplete_expired', 'canceled'],
  ['paused', 'inactive'],
]);

/** Keeps only the last of the ended ones. */
export function evolveSubscriptions(
  subscriptions: readonly Subscription[],
  event: SubscriptionUpdate,
): readonly Subscription[] {
  const { subscriptionId } = event.data;
  const known = subscriptions.find((each) => each.subscriptionId === subscriptionId) ?? null;
  const next = evolveSubscription(known, event);
  if (!next || next === known) return subscriptions;
  if (known) return subscriptions.map((each) => (each === known ? next : each));
  return [...subscriptions.filter(({ status }) => status !== 'canceled'), next];
}

export function evolveSubscription(known: Subscription | null, event: SubscriptionUpdate): Subscription | null {
  if (event.type === 'SubscriptionStarted') {
    const { subscriptionId, tier, status, periodStart, periodEnd, asOf } = event.data;
    const nothing = { pending: null, cancelsAt: null, graceEndsAt: null, failedInvoiceId: null } as const;
    const asSold = { isUnknownPlan: false, limit: null, isProrated: isProrated(event.data), suspendedFor: [] };
    return (
      known ?? {
        subscriptionId,
        tier,
        status,
        periodStart,
        periodEnd,
        ...priceOf(event.data),
        ...asSold,
        ...nothing,
        asOf,
      }
    );
  }
  if (!known || known.status === 'canceled') return known;
  switch (event.type) {
    case 'SubscriptionSuspended': {
      const { reason, disputeId, paymentIntentId } = event.data;
      return { ...known, suspendedFor: [...known.suspendedFor, heldFor(reason, disputeId ?? paymentIntentId)] };
    }
    case 'SubscriptionResumed':
      return { ...known, suspendedFor: [] };
    default:
      return { ...changed(known, event), asOf: later(event.data.asOf, known.asOf) };
  }
}

type OfPrice = Pick<Subscription, 'price' | 'currency'> & { readonly monthly?: number; readonly productId?: string };

/** Events of earlier versions have neither product nor what was agreed. */
function priceOf({
  price,
  currency,
  monthly = price,
  productId,
}: OfPrice): Pick<Subscription, 'price' | 'currency' | 'monthly' | 'productId'> {
  return { price, currency, monthly, productId: productId ?? null };
}

/** Whether the version that recorded the period gave late upgrades only their share. */
const isProrated = ({ productId }: OfPrice): boolean => productId !== undefined;

function changed(
  known: Subscription,
  event: Exclude<
    SubscriptionUpdate,
    { readonly type: 'SubscriptionStarted' | 'SubscriptionSuspended' | 'SubscriptionResumed' }
  >,
): Subscription {
  switch (event.type) {
    case 'SubscriptionChanged': {
      const { formerTier, tier, limit } = event.data;
      return {
        ...known,
        ...periodOf(known, event.data),
        ...priceOf(event.data),
        tier,
        ...(event.data.periodStart > known.periodStart ? { isProrated: isProrated(event.data) } : {}),
        limit: limit ?? (formerTier === tier ? known.limit : null),
        pending: withoutReached(known.pending, tier),
      };
    }
    case 'SubscriptionChangeScheduled':
      return { ...known, pending: { tier: event.data.tier, at: event.data.effectiveAt } };
    case 'SubscriptionChangeUndone':
      return { ...known, pending: null };
    case 'SubscriptionRenewed':
      return renewed(known, event.data);
    case 'SubscriptionPaymentFailed': {
      const { invoiceId, graceEndsAt } = event.data;
      return { ...known, ...periodOf(known, event.data), status: 'past_due', graceEndsAt, failedInvoiceId: invoiceId };
    }
    case 'SubscriptionCancelScheduled':
      return { ...known, cancelsAt: event.data.cancelsAt };
    case 'SubscriptionReactivated':
      return { ...known, cancelsAt: null };
    case 'SubscriptionStatusChanged': {
      const { status, graceEndsAt, unknownPlan, productId } = event.data;
      return {
        ...known,
        status,
        graceEndsAt,
        isUnknownPlan: unknownPlan ?? known.isUnknownPlan,
        productId: productId ?? known.productId,
        failedInvoiceId: status === 'active' || status === 'trialing' ? null : known.failedInvoiceId,
      };
    }
    case 'SubscriptionEnded':
      return { ...known, status: 'canceled', pending: null, graceEndsAt: null };
    default:
      event satisfies never;
      return known;
  }
}

/** A late report of an earlier period changes nothing. */
function renewed(
  known: Subscription,
  data: Extract<SubscriptionUpdate, { readonly type: 'SubscriptionRenewed' }>['data'],
): Subscription {
  const { tier, periodStart, paid } = data;
  const isNewer = periodStart > known.periodStart;
  if (!isNewer && paid.invoiceId !== known.failedInvoiceId) return known;
  const settled = { status: 'active', graceEndsAt: null, failedInvoiceId: null } as const;
  return {
    ...known,
    ...periodOf(known, data),
    ...settled,
    ...priceOf(data),
    ...(isNewer ? { limit: null, isProrated: isProrated(data) } : {}),
    tier,
    pending: withoutReached(known.pending, tier),
  };
}

/** Periods only move forward. */
function periodOf(
  known: Subscription,
  reported: Pick<Subscription, 'periodStart' | 'periodEnd'>,
): Pick<Subscription, 'periodStart' | 'periodEnd'> {
  const { periodStart, periodEnd } = reported.periodStart >= known.periodStart ? reported : known;
  return { periodStart, periodEnd };
}

/** The later of two UTC ISO times. */
function later(one: string, other: string): string {
  if (one > other) return one;
  return other;
}

const withoutReached = (pending: Subscription['pending'], tier: PaidTier): Subscription['pending'] =>
  pending?.tier === tier ? null : pending;
