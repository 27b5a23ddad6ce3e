/** Reads subscriptions and their invoices. */
import type Stripe from 'stripe';
import type { ProviderSubscription } from '../../../domain/billing/decideSubscription.ts';
import { isKnownStatus, subscriptionStatusOf } from '../../../domain/billing/subscription.ts';
import type { CustomerSubscription, Payments, SubscriptionInvoice } from '../payments.ts';
import { type Prices, planAmong } from './catalogue.ts';
import { eachOf, expandedOf, idOf, isoOf, orNull, type StripeClient } from './client.ts';

/** A subscription with an unknown status. It grants no rights, although it may be paid for. */
export type UnknownStatus = { readonly subscriptionId: string; readonly status: string };

export type Reading = {
  readonly client: StripeClient;
  readonly prices: Prices;
  readonly now: () => string;
  readonly onUnknownStatus: (of: UnknownStatus) => void;
};

const EXPAND = [
  'latest_invoice.payments',
  'latest_invoice.discounts.promotion_code',
  'schedule',
  'discounts.promotion_code',
  'discounts.source.coupon',
];
const EXPAND_INVOICE = ['payments', 'discounts.promotion_code'];

export function subscriptionReads(reading: Reading): Pick<Payments, 'subscription' | 'subscriptionsOf' | 'invoice'> {
  const { client, now } = reading;
  return {
    async subscription(subscriptionId) {
      const asOf = now();
      const found = await orNull(
        client.ask((stripe) => stripe.subscriptions.retrieve(subscriptionId, { expand: EXPAND })),
      );
      return found && viewOf(reading, found, asOf);
    },

    async subscriptionsOf(customer) {
      const asOf = now();
      const expand = EXPAND.map((path) => `data.${path}`);
      const views: CustomerSubscription[] = [];
      const found = eachOf(client, (stripe, page) =>
        stripe.subscriptions.list({ customer, status: 'all', expand, ...page }),
      );
      await orNull(
        (async () => {
          for await (const each of found) {
            const view = await viewOf(reading, each, asOf);
            if (view) views.push(view);
          }
        })(),
      );
      return views;
    },

    async invoice(invoiceId) {
      const invoice = await orNull(
        client.ask((stripe) => stripe.invoices.retrieve(invoiceId, { expand: EXPAND_INVOICE })),
      );
      return invoice && invoiceView(reading, invoice);
    },
  };
}

type Item = NonNullable<Awaited<ReturnType<typeof planAmong>>>;

/** What is paid a month after the discounts that last, in the order of the subscription. */
function monthlyOf({ amount, months, item }: Item, { discounts }: Stripe.Subscription): number {
  let left = amount * (item.quantity ?? 1);
  for (const discount of discounts) {
    const coupon = typeof discount === 'string' ? null : expandedOf(discount.source.coupon);
    if (!coupon || coupon.duration === 'once') continue;
    left -= Math.min(
      left,
      coupon.amount_off ?? Math.round((left * Math.round((coupon.percent_off ?? 0) * 100)) / 10_000),
    );
  }
  return Math.round(left / months);
}

/** Null for a subscription without items. */
async function viewOf(
  reading: Reading,
  subscription: Stripe.Subscription,
  asOf: string,
): Promise<CustomerSubscription | null> {
  const found = await planAmong(reading.prices, subscription.items.data);
  if (!found) return null;
  const { item, tier, productId, amount } = found;
  if (!isKnownStatus(subscription.status))
    reading.onUnknownStatus({ subscriptionId: subscription.id, status: subscription.status });
  const [periodStart, periodEnd] = [isoOf(item.current_period_start), isoOf(item.current_period_end)];
  const finalised = await lastFinalised(reading, subscription);
  const { pending, endsAt } = await plannedOf(reading, subscription, tier);
  const cancels = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : endsAt);
  return {
    customerId: idOf(subscription.customer) ?? '',
    userId: subscription.metadata.user_id ?? null,
    subscription: {
      subscriptionId: subscription.id,
      tier,
      productId,
      status: subscriptionStatusOf(subscription.status),
      price: amount,
      currency: subscription.currency,
      monthly: monthlyOf(found, subscription),
      periodStart,
      periodEnd,
      pending,
      cancelsAt: cancels === null ? null : isoOf(cancels),
      endedAt: subscription.ended_at === null ? null : isoOf(subscription.ended_at),
      invoice: finalised && toInvoice(finalised, { periodStart, periodEnd }),
      asOf,
    },
  };
}

const isFinal = ({ status }: Stripe.Invoice): boolean =>
  status === 'paid' || status === 'open' || status === 'uncollectible';

/** The latest invoice may be a draft for an hour, or be void after an abandoned change. */
async function lastFinalised(
  { client }: Reading,
  { id, latest_invoice }: Stripe.Subscription,
): Promise<Stripe.Invoice | null> {
  const latest = expandedOf(latest_invoice);
  if (!latest || isFinal(latest)) return latest;
  const { data } = await client.ask((stripe) =>
    stripe.invoices.list({ subscription: id, limit: 20, expand: EXPAND_INVOICE.map((path) => `data.${path}`) }),
  );
  return data.find(isFinal) ?? null;
}

type Planned = { readonly pending: ProviderSubscription['pending']; readonly endsAt: number | null };

/** What its schedule does when the current phase ends. */
async function plannedOf(
  { prices }: Reading,
  { schedule }: Stripe.Subscription,
  tier: ProviderSubscription['tier'],
): Promise<Planned> {
  const plan = expandedOf(schedule);
  if (plan?.status !== 'active' || !plan.current_phase) return { pending: null, endsAt: null };
  const { end_date } = plan.current_phase;
  const next = plan.phases.find(({ start_date }) => start_date >= end_date);
  const price = next?.items[0]?.price;
  const becomes = (price ? await prices.soldBy(idOf(price) ?? '') : null)?.tier ?? null;
  const pending = next && becomes !== null && becomes !== tier ? { tier: becomes, at: isoOf(next.start_date) } : null;
  return { pending, endsAt: plan.end_behavior === 'cancel' ? (plan.phases.at(-1)?.end_date ?? null) : null };
}

type Period = { readonly periodStart: string; readonly periodEnd: string };
type Invoice = SubscriptionInvoice['invoice'];

const REASON_OF: ReadonlyMap<string, Invoice['reason']> = new Map([
  ['subscription_create', 'start'],
  ['subscription_update', 'change'],
]);

/**
 * `current` is the subscription's period. An invoice for a change covers part of that period and does not start a new
 * one.
 */
function toInvoice(invoice: Stripe.Invoice, current: Period): Invoice {
  const line = lineOf(invoice);
  const reason = REASON_OF.get(invoice.billing_reason ?? '') ?? 'renewal';
  const own = {
    periodStart: isoOf(line?.period.start ?? invoice.period_start),
    periodEnd: isoOf(line?.period.end ?? invoice.period_end),
  };
  const isPart = reason === 'change' && own.periodEnd === current.periodEnd;
  const discounts = discountsOf(invoice);
  const { paid_at, finalized_at } = invoice.status_transitions;
  const payment = invoice.payments?.data.find(({ status }) => status === 'paid') ?? invoice.payments?.data[0];
  return {
    invoiceId: invoice.id,
    ...(invoice.number === null ? {} : { number: invoice.number }),
    paymentIntentId: idOf(payment?.payment.payment_intent),
    amount: invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due,
    currency: invoice.currency,
    listAmount: Math.max(0, invoice.subtotal),
    discounts,
    reason,
    status: invoice.status === 'paid' ? 'paid' : 'unpaid',
    at: isoOf((invoice.status === 'paid' ? paid_at : finalized_at) ?? invoice.created),
    ...(isPart ? current : own),
    from: own.periodStart,
  };
}

/** The reductions of an invoice, with the code of each that came by one. */
function discountsOf({ discounts, total_discount_amounts: amounts }: Stripe.Invoice): Invoice['discounts'] {
  const codes = new Map<string, string>();
  for (const discount of discounts) {
    if (typeof discount === 'string' || !('promotion_code' in discount)) continue;
    const code = expandedOf(discount.promotion_code)?.code;
    if (code !== undefined) codes.set(discount.id, code);
  }
  return (amounts ?? [])
    .filter(({ amount }) => amount > 0)
    .map(({ discount, amount }) => {
      const code = codes.get(idOf(discount) ?? '');
      return { ...(code === undefined ? {} : { code }), amount };
    });
}

/** The line it was for: a period or the cost of a change, never a credit. */
function lineOf({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  const whole = lines.data.find(({ parent }) => parent?.subscription_item_details?.proration === false);
  return whole ?? lines.data.find(({ amount }) => amount > 0) ?? lines.data[0];
}

async function invoiceView({ client, prices }: Reading, invoice: Stripe.Invoice): Promise<SubscriptionInvoice | null> {
  const of = invoice.parent?.subscription_details;
  const subscriptionId = idOf(of?.subscription);
  if (subscriptionId === null) return null;
  const price = idOf(lineOf(invoice)?.pricing?.price_details?.price);
  const sold = price === null ? null : await prices.soldBy(price);
  const subscription = await orNull(client.ask((stripe) => stripe.subscriptions.retrieve(subscriptionId)));
  const [item] = subscription?.items.data ?? [];
  const current = {
    periodStart: isoOf(item?.current_period_start ?? invoice.period_start),
    periodEnd: isoOf(item?.current_period_end ?? invoice.period_end),
  };
  return {
    subscriptionId,
    customerId: idOf(invoice.customer) ?? '',
    userId: of?.metadata?.user_id ?? subscription?.metadata.user_id ?? null,
    tier: sold?.tier ?? null,
    productId: sold?.productId ?? null,
    price: sold?.amount ?? 0,
    invoice: toInvoice(invoice, current),
  };
}
