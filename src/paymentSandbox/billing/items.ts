/** The items of a subscription. */
import type Stripe from 'stripe';
import type { SandboxContext } from '../books/context.ts';
import { need } from '../books/context.ts';
import { decimalOf } from '../payments/prices.ts';
import { invalid } from '../server/apiError.ts';
import { wholeList } from '../server/lists.ts';

export type Period = { readonly start: number; readonly end: number };

/** An active recurring price. @throws ApiError */
export function recurringPrice(context: SandboxContext, id: string, param = 'items[0][price]'): Stripe.Price {
  const price = need(context, 'price', id, param);
  if (price.type !== 'recurring')
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      undefined,
      param,
    );
  if (!price.active)
    throw invalid(`The price specified is inactive. This field only accepts active prices.`, undefined, param);
  return price;
}

function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: decimalOf(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

type NewItem = {
  readonly id?: string;
  readonly subscription: string;
  readonly price: Stripe.Price;
  readonly quantity: number;
  readonly period: Period;
  readonly created: number;
};

export function newItem(
  context: SandboxContext,
  { id, subscription, price, quantity, period, created }: NewItem,
): Stripe.SubscriptionItem {
  return {
    id: id ?? context.newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export const itemList = (
  subscription: string,
  items: readonly Stripe.SubscriptionItem[],
): Stripe.ApiList<Stripe.SubscriptionItem> => wholeList(items, `/v1/subscription_items?subscription=${subscription}`);

export const withPeriod = (
  items: readonly Stripe.SubscriptionItem[],
  { start, end }: Period,
): Stripe.SubscriptionItem[] =>
  items.map((item) => ({ ...item, current_period_start: start, current_period_end: end }));

/** All items share one period. */
export function periodOf({ items }: Pick<Stripe.Subscription, 'items'>): Period {
  const [first] = items.data;
  return { start: first?.current_period_start ?? 0, end: first?.current_period_end ?? 0 };
}
