/** Invoice lines: a period of each item, and the credits and charges of a mid-period change. */
import type Stripe from 'stripe';
import type { SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { decimalOf } from '../payments/prices.ts';
import type { Period } from './items.ts';

export type Line = {
  readonly item: Stripe.SubscriptionItem;
  readonly amount: number;
  readonly description: string;
  readonly period: Period;
  readonly proration: boolean;
};

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;
const EVERY: Readonly<Record<string, string>> = { day: 'day', week: 'week', month: 'month', year: 'year' };

function nameOf(context: SandboxContext, price: Stripe.Price): string {
  return context.store.get('product', idOf(price.product) ?? '')?.name ?? 'Subscription';
}

export const priceOf = ({ price, quantity }: Stripe.SubscriptionItem): number =>
  (price.unit_amount ?? 0) * (quantity ?? 1);

/** Lines for one period of the subscribed items. */
export function cycleLines(
  context: SandboxContext,
  items: readonly Stripe.SubscriptionItem[],
  period: Period,
  isTrial = false,
): Line[] {
  return items.map((item) => ({
    item,
    amount: isTrial ? 0 : priceOf(item),
    description: isTrial
      ? `Trial period for ${nameOf(context, item.price)}`
      : `${item.quantity ?? 1} × ${nameOf(context, item.price)} (at ${money(item.price.unit_amount ?? 0)} / ${EVERY[item.price.recurring?.interval ?? 'month'] ?? 'month'})`,
    period,
    proration: false,
  }));
}

/** The prorated amount for the rest of a period, to the second; rounded half up. */
export function shareLeft(amount: number, period: Period, at: number): number {
  if (period.end <= period.start) return 0;
  const left = Math.max(0, Math.min(period.end, period.end - at));
  return Math.round((amount * Math.min(left, period.end - period.start)) / (period.end - period.start));
}

/** Credits for the old items and charges for the new ones, from `at` to the end of the period. */
export function prorationLines(
  context: SandboxContext,
  before: readonly Stripe.SubscriptionItem[],
  now: readonly Stripe.SubscriptionItem[],
  period: Period,
  at: number,
): Line[] {
  const isSame = (one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem): boolean =>
    one.id === other.id && one.price.id === other.price.id && one.quantity === other.quantity;
  const gone = before.filter((old) => !now.some((item) => isSame(old, item)));
  const come = now.filter((item) => !before.some((old) => isSame(old, item)));
  const rest = { start: at, end: period.end };
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at * 1_000));
  return [
    ...gone.map((item) => ({
      item,
      amount: 0 - shareLeft(priceOf(item), period, at),
      description: `Unused time on ${nameOf(context, item.price)} after ${day}`,
      period: rest,
      proration: true,
    })),
    ...come.map((item) => ({
      item,
      amount: shareLeft(priceOf(item), period, at),
      description: `Remaining time on ${nameOf(context, item.price)} after ${day}`,
      period: rest,
      proration: true,
    })),
  ];
}

/** In Stripe's format; `invoice` null: pending for the next one. */
export function lineObject(
  context: SandboxContext,
  line: Line,
  invoice: string | null,
  currency: string,
): Stripe.InvoiceLineItem {
  const { item, amount, description, period, proration } = line;
  return {
    id: context.newId('il'),
    object: 'line_item',
    amount,
    currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? context.newId('ii') : null,
        proration,
        proration_details: { credited_items: null },
        subscription: item.subscription,
        subscription_item: item.id,
      },
    },
    period: { start: period.start, end: period.end },
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: item.price.id, product: idOf(item.price.product) ?? '' },
      unit_amount_decimal: decimalOf(item.price.unit_amount ?? 0),
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: decimalOf(item.quantity ?? 1),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  };
}
