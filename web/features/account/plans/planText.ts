/** How plans, their prices and what goes wrong with them read. */
import type { PlanView } from '../../../../src/http/contract/subscriptions.ts';
import { asFailure } from '../../../api/failure.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { dayOf } from '../../../ui/text/time.ts';
import { count, titleCase } from '../../../ui/text/wording.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';

type Balance = SubscriptionStatus['balance'];
type Subscription = SubscriptionStatus['subscription'];

/** '$29': prices of plans are whole numbers. */
export const priceText = ({ price, currency }: Pick<PlanView, 'price' | 'currency'>): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase(), maximumFractionDigits: 0 }).format(price);

/** '$29 a month' */
export const monthlyText = (plan: PlanView): string => `${priceText(plan)} a ${plan.interval}`;

export const analysesText = ({ key, domainsPerMonth }: Pick<PlanView, 'key' | 'domainsPerMonth'>): string =>
  key === 'free' ? `${count(domainsPerMonth, 'preview')} a month` : `${count(domainsPerMonth, 'domain analysis', 'domain analyses')} a month`;

/** From this limit on there is none. */
const ALL_ACTION_ITEMS = 100;

export const actionItemsText = ({ actionItemsLimit: limit }: Pick<PlanView, 'actionItemsLimit'>): string =>
  limit >= ALL_ACTION_ITEMS ? 'All action items' : `First ${count(limit, 'action item')}`;

const FEATURES: Readonly<Record<string, string>> = {
  email_support: 'Email support',
  phone_and_email_support: 'Phone and email support',
  premium_support: 'Premium support',
  custom_integrations: 'Custom integrations',
  priority_processing: 'Priority processing',
  client_portal: 'Client portal',
  beta_access: 'Beta access',
  api_access: 'API access',
  white_label: 'White-label',
};

/** One that a newer server knows is called by its key. */
export const featureText = (feature: string): string => FEATURES[feature] ?? titleCase(feature);

const STATUSES: Readonly<Record<Subscription['status'], string>> = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Past due',
  canceled: 'Cancelled',
  unpaid: 'Unpaid',
  inactive: 'Inactive',
};

export const statusWord = (status: Subscription['status']): string => STATUSES[status] ?? titleCase(status);

/** What the end of the period brings. */
export function renewalText({ status, cancelAtPeriodEnd, currentPeriodEnd, pendingTier }: Subscription): string | null {
  if (!currentPeriodEnd || !isLive({ status })) return null;
  if (cancelAtPeriodEnd) return `Ends on ${dayOf(currentPeriodEnd)}`;
  if (status === 'trialing') return `Trial ends on ${dayOf(currentPeriodEnd)}`;
  // Of what waits, its own block tells.
  return status === 'active' && pendingTier === null ? `Renews on ${dayOf(currentPeriodEnd)}` : null;
}

/** It goes on, and can be changed and cancelled. */
export const isLive = ({ status }: Pick<Subscription, 'status'>): boolean => status === 'active' || status === 'trialing' || status === 'past_due';

/** Funds and credits in words; null when there are none. */
export function balanceText({ funds, credits, currency }: Balance): string | null {
  const parts = [...(funds === 0 ? [] : [`${moneyText(funds, currency)} in funds`]), ...(credits === 0 ? [] : [count(credits, 'credit')])];
  if (parts.length === 0) return null;
  return `Balance: ${parts.join(' and ')}.${funds < 0 ? ' A refund or dispute took back money that was already spent.' : ''}`;
}

/** An answer that refuses speaks for itself; of a call that got none, the screen speaks. */
export function refusalText(error: unknown, { answered, unanswered }: { readonly answered: string; readonly unanswered: string }): string {
  const { status, message } = asFailure(error);
  return status === 0 ? unanswered : message || answered;
}
