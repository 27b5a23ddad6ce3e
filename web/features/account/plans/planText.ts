/** Texts for plans, their prices and their errors. */
import type { PlanView } from '../../../../src/http/contract/subscriptions.ts';
import { mailtoOf } from '../../../../src/model/emailAddress.ts';
import { asFailure } from '../../../api/failure.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { dayOf } from '../../../ui/text/time.ts';
import { count, titleCase } from '../../../ui/text/wording.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';

type Balance = SubscriptionStatus['balance'];
type Subscription = SubscriptionStatus['subscription'];

/** '$29': prices of plans are whole numbers. */
export const priceText = ({ price, currency }: Pick<PlanView, 'price' | 'currency'>): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase(), maximumFractionDigits: 0 }).format(
    price,
  );

/** '$29 a month' */
export const monthlyText = (plan: PlanView): string => `${priceText(plan)} a ${plan.interval}`;

export const analysesText = ({ key, domainsPerMonth }: Pick<PlanView, 'key' | 'domainsPerMonth'>): string =>
  key === 'free'
    ? `${count(domainsPerMonth, 'preview')} a month`
    : `${count(domainsPerMonth, 'domain analysis', 'domain analyses')} a month`;

/** At or above this limit, all items are included. */
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

/** A feature added by a newer server is shown by its key. */
export const featureText = (feature: string): string => FEATURES[feature] ?? titleCase(feature);

/** For a feature of which only a part is on request. */
const PARTS_ON_REQUEST: Readonly<Record<string, string>> = { phone_and_email_support: 'phone on request' };

export const onRequestText = (feature: string): string => PARTS_ON_REQUEST[feature] ?? 'on request';

/** An email to the support that says what it is about. */
export const requestLink = (email: string, feature: string, plan: Pick<PlanView, 'name'>): string =>
  `${mailtoOf(email)}?subject=${encodeURIComponent(`${featureText(feature)} (${plan.name} plan)`)}`;

const STATUSES: Readonly<Record<Subscription['status'], string>> = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Past due',
  canceled: 'Cancelled',
  unpaid: 'Unpaid',
  inactive: 'Inactive',
};

export const statusWord = (status: Subscription['status']): string => STATUSES[status] ?? titleCase(status);

/** What happens at the end of the period. */
export function renewalText({ status, cancelAtPeriodEnd, currentPeriodEnd, pendingTier }: Subscription): string | null {
  if (!currentPeriodEnd || !isLive({ status })) return null;
  if (cancelAtPeriodEnd) return `Ends on ${dayOf(currentPeriodEnd)}`;
  if (status === 'trialing') return `Trial ends on ${dayOf(currentPeriodEnd)}`;
  // A scheduled change is described in its own block.
  return status === 'active' && pendingTier === null ? `Renews on ${dayOf(currentPeriodEnd)}` : null;
}

/** Whether it is running, so that it can be changed and canceled. */
export const isLive = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due';

/** Funds and credits as text; null when there are none. */
export function balanceText({ funds, credits, currency }: Balance): string | null {
  const parts = [
    ...(funds === 0 ? [] : [`${moneyText(funds, currency)} in funds`]),
    ...(credits === 0 ? [] : [count(credits, 'credit')]),
  ];
  if (parts.length === 0) return null;
  return `Balance: ${parts.join(' and ')}.${funds < 0 ? ' A refund or dispute took back money that was already spent.' : ''}`;
}

/** The server's message for an error response, or the screen's text without a response. */
export function refusalText(
  error: unknown,
  { answered, unanswered }: { readonly answered: string; readonly unanswered: string },
): string {
  const { status, message } = asFailure(error);
  return status === 0 ? unanswered : message || answered;
}
