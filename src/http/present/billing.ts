/** A user's allowance and means of payment, from the billing document. */
import { ALL_ACTION_ITEMS, planOf } from '../../domain/billing/plans.ts';
import { nextSource, planUsed, sourcesOf } from '../../domain/billing/sources.ts';
import {
  currentSubscription,
  hasRights,
  holdOf,
  limitOf,
  type Subscription,
  tierAt,
} from '../../domain/billing/subscription.ts';
import { START } from '../../eventStore/eventStore.ts';
import { type BillingDocument, balancesOf, emptyBill } from '../../projections/billing.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { AccountDeletionView } from '../contract/account.ts';
import type { AllowanceResponse, BillingRow, SubscriptionStatusResponse } from '../contract/billing.ts';
import type { HttpConfig } from '../deps/deps.ts';

export type Prices = Pick<HttpConfig, 'freeAnalysesPerMonth' | 'reportPrice' | 'unlimited'>;

type Status = SubscriptionStatusResponse['data'];

const termsOf = ({ freeAnalysesPerMonth, unlimited, reportPrice }: Prices, at: string) => ({
  allowance: freeAnalysesPerMonth,
  isAdmin: unlimited,
  price: reportPrice,
  at,
});

/**
 * `now`: UTC ISO. A null document means that nothing was ever used. Admins pay nothing in any case; where nobody pays,
 * there are no limits.
 */
export function presentSubscription(
  document: StoredDocument<BillingDocument> | null,
  now: string,
  prices: Prices,
): Status {
  const bill = document?.data ?? emptyBill('');
  const balances = balancesOf(bill);
  const next = nextSource(termsOf(prices, now), balances);
  const subscription = currentSubscription(bill.subscriptions, now);
  const { credits, funds } = bill;
  return {
    subscription: {
      ...subscriptionView(subscription, now, prices),
      hasFullAccess: next?.access === 'full',
      syncWarning: syncWarningOf(bill, subscription),
      syncError: bill.synced?.outcome === 'failed' ? 'Failed to sync with Stripe' : null,
    },
    usage: usageOf(bill, subscription, now, prices),
    balance: {
      plan: tierAt(bill.subscriptions, now),
      credits,
      funds: funds.amount,
      currency: funds.currency,
      paysNext: next?.from ?? null,
    },
  };
}

/** What pays for the next audit, and for how many. */
export function presentAllowance(
  document: StoredDocument<BillingDocument> | null,
  now: string,
  prices: Prices,
): AllowanceResponse['data'] {
  const sources = sourcesOf(termsOf(prices, now), balancesOf(document?.data ?? emptyBill('')));
  const next = sources.find(({ left }) => left > 0);
  if (!next) return { pays_next: null, left: 0 };
  return { pays_next: next.source.from, left: Number.isFinite(next.left) ? next.left : null };
}

export function presentBilling(
  document: StoredDocument<BillingDocument> | null,
  userId: string,
  now: string,
  prices: Prices,
): BillingRow {
  return { user_id: userId, ...presentSubscription(document, now, prices), position: document?.position ?? START };
}

function syncWarningOf({ synced }: BillingDocument, subscription: Subscription | null): string | null {
  if (subscription && subscription.status !== 'canceled' && subscription.isUnknownPlan)
    return 'Your plan at Stripe is unknown here, so you keep your previous one.';
  return synced?.outcome === 'late' ? 'Some changes arrived late, and are applied now.' : null;
}

/** What would be lost with the account. */
export function presentLoss(
  bill: BillingDocument | null,
  now: string,
): Pick<AccountDeletionView, 'subscription' | 'funds'> {
  const { subscriptions, funds } = bill ?? emptyBill('');
  const current = currentSubscription(subscriptions, now);
  const isOver = !current || current.status === 'canceled' || (current.cancelsAt !== null && now >= current.cancelsAt);
  return {
    subscription: isOver ? null : { tier: current.tier, current_period_end: current.periodEnd },
    funds: funds.currency !== null && funds.amount > 0 ? { amount: funds.amount, currency: funds.currency } : null,
  };
}

type View = Omit<Status['subscription'], 'hasFullAccess' | 'syncWarning' | 'syncError'>;

function subscriptionView(
  subscription: Subscription | null,
  now: string,
  { freeAnalysesPerMonth, unlimited }: Prices,
): View {
  const free = {
    actionItemsLimit: unlimited ? ALL_ACTION_ITEMS : planOf('free').actionItemsLimit,
    domainsPerMonth: freeAnalysesPerMonth,
  };
  const nothing = {
    cancelAtPeriodEnd: false,
    currentPeriodEnd: null,
    pendingTier: null,
    pendingAt: null,
    graceEndsAt: null,
    holdReason: null,
  };
  if (!subscription) return { tier: 'free', status: 'inactive', features: free, ...nothing };
  const { tier, periodEnd, cancelsAt, pending, graceEndsAt } = subscription;
  // What it bought is on hold, whatever the provider says.
  const status = holdOf(subscription) === null ? subscription.status : 'unpaid';
  // Also when it has expired but its end has not been reported yet.
  if (subscription.status === 'canceled' || (cancelsAt !== null && now >= cancelsAt))
    return { tier: 'free', status: 'canceled', features: free, ...nothing };
  const { actionItemsLimit, analysesPerMonth } = planOf(tier);
  return {
    tier,
    status,
    features: hasRights(subscription, now) ? { actionItemsLimit, domainsPerMonth: analysesPerMonth } : free,
    cancelAtPeriodEnd: cancelsAt !== null,
    currentPeriodEnd: cancelsAt ?? periodEnd,
    pendingTier: pending?.tier ?? null,
    pendingAt: pending?.at ?? null,
    graceEndsAt,
    holdReason: holdOf(subscription),
  };
}

/** For the subscription's period while it is in force, otherwise for the calendar month. */
function usageOf(
  bill: BillingDocument,
  subscription: Subscription | null,
  now: string,
  { freeAnalysesPerMonth }: Prices,
): Status['usage'] {
  if (subscription && hasRights(subscription, now)) {
    return {
      used: planUsed(balancesOf(bill), subscription),
      limit: limitOf(subscription),
      periodEnd: subscription.periodEnd,
    };
  }
  const period = now.slice(0, 7);
  return { used: bill.periods[period] ?? 0, limit: freeAnalysesPerMonth, periodEnd: endOfMonth(period) };
}

/** Start of the next calendar month in UTC, when the allowance is renewed. */
function endOfMonth(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString();
}
