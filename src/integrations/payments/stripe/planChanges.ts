/** Plan changes by users: start, upgrade, downgrade, cancel, reactivate. */
import type Stripe from 'stripe';
import { PaymentFault, type Payments } from '../payments.ts';
import type { Prices } from './catalogue.ts';
import { eachOf, expandedOf, idOf, type StripeClient } from './client.ts';

type Changes = Pick<
  Payments,
  'startCheckout' | 'upgradeCost' | 'upgrade' | 'scheduleDowngrade' | 'cancel' | 'reactivate'
>;

export function planChangeCalls(client: StripeClient, prices: Prices): Changes {
  return {
    startCheckout: (wish) => startCheckout(client, prices, wish),
    upgradeCost: async ({ subscriptionId, tier }) =>
      upgradeCost(client, await read(client, subscriptionId), await prices.priceIdOf(tier)),
    upgrade: async ({ subscriptionId, tier, key }) => {
      const charged = await charge(client, await read(client, subscriptionId), await prices.priceIdOf(tier), key);
      // Only after the charge: if the card is declined, nothing has changed.
      await goOn(client, charged, key);
    },
    scheduleDowngrade: async ({ subscriptionId, tier, key }) =>
      scheduleChange(client, await read(client, subscriptionId), await prices.priceIdOf(tier), key),
    cancel: ({ subscriptionId, immediately, key }) =>
      immediately ? cancelNow(client, subscriptionId) : cancelLater(client, subscriptionId, key),
    reactivate: async ({ subscriptionId, key }) => goOn(client, await read(client, subscriptionId), key),
  };
}

function read(client: StripeClient, id: string): Promise<Stripe.Subscription> {
  return client.ask((stripe) => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments', 'schedule'] }));
}

async function startCheckout(
  client: StripeClient,
  prices: Prices,
  wish: Parameters<Payments['startCheckout']>[0],
): Promise<{ readonly url: string }> {
  const { userId, customerId, tier, promotionCodeId, successUrl, cancelUrl, key } = wish;
  const price = await prices.priceIdOf(tier);
  const session = await client.askOnce(key, (stripe, options) =>
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: userId,
        line_items: [{ price, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        subscription_data: { metadata: { user_id: userId } },
        ...(promotionCodeId === null
          ? { allow_promotion_codes: true }
          : { discounts: [{ promotion_code: promotionCodeId }] }),
      },
      options,
    ),
  );
  const { url } = session;
  if (url === null) throw new PaymentFault('REFUSED', 'The payment provider made no page to pay on.');
  await closeEarlier(client, session, customerId);
  return { url };
}

/** Expires earlier checkouts, such as in another tab: paying two would create two subscriptions. */
async function closeEarlier(
  client: StripeClient,
  { id, created }: Stripe.Checkout.Session,
  customer: string,
): Promise<void> {
  for await (const open of eachOf(client, (stripe, page) =>
    stripe.checkout.sessions.list({ customer, status: 'open', ...page }),
  )) {
    if (open.id === id || open.created > created || open.mode !== 'subscription') continue;
    await client.ask((stripe) => stripe.checkout.sessions.expire(open.id)).catch(unlessOver);
  }
}

/** Ignores that it was paid or expired in the meantime. */
function unlessOver(error: unknown): void {
  if (!(error instanceof PaymentFault) || error.fault !== 'REFUSED') throw error;
}

/** The plan's line item. */
function onlyItem({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item, ...more] = items.data;
  if (!item || more.length > 0) throw new PaymentFault('REFUSED', `The subscription ${id} is not of one plan.`);
  return item;
}

/** The provider counts by the second: what is charged a moment later may be a cent less. */
async function upgradeCost(client: StripeClient, before: Stripe.Subscription, price: string) {
  const { amount_due: amount, currency } = await client.ask((stripe) =>
    stripe.invoices.createPreview({
      subscription: before.id,
      subscription_details: { items: [{ id: onlyItem(before).id, price }], proration_behavior: 'always_invoice' },
    }),
  );
  return { amount, currency };
}

/** Switches to another price, with proration. @throws PaymentFault DECLINED: nothing has changed */
async function charge(
  client: StripeClient,
  before: Stripe.Subscription,
  price: string,
  key: string,
): Promise<Stripe.Subscription> {
  const item = onlyItem(before);
  // A pending update from an earlier try would block this one.
  if (before.pending_update) {
    if ((await paymentOf(client, before))?.status === 'processing') throw inProcess();
    await giveUp(client, before, `${key}:clear`);
  }
  const changed = await client.askOnce(key, (stripe, options) =>
    stripe.subscriptions.update(
      before.id,
      {
        items: [{ id: item.id, price }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
        expand: ['latest_invoice.payments', 'schedule'],
      },
      options,
    ),
  );
  if (!changed.pending_update) return changed;
  const intent = await paymentOf(client, changed);
  // The key repeats an earlier answer, and its payment may have succeeded since.
  if (intent?.status === 'succeeded') return read(client, before.id);
  if (intent?.status === 'processing') throw inProcess();
  if (intent?.status === 'requires_action')
    throw new PaymentFault(
      'DECLINED',
      'Your bank wants you to confirm this payment. Pay the open invoice in the billing portal, and your plan changes.',
    );
  await giveUp(client, changed, `${key}:undo`);
  throw new PaymentFault('DECLINED', intent?.last_payment_error?.message ?? 'Your card was declined.');
}

/** The payment intent of its latest invoice. */
async function paymentOf(
  client: StripeClient,
  { latest_invoice }: Stripe.Subscription,
): Promise<Stripe.PaymentIntent | null> {
  const id = idOf(expandedOf(latest_invoice)?.payments?.data[0]?.payment.payment_intent);
  return id === null ? null : client.ask((stripe) => stripe.paymentIntents.retrieve(id));
}

/** The payment may still succeed, so its invoice must not be voided. */
const inProcess = (): PaymentFault =>
  new PaymentFault('DECLINED', 'Your payment is being processed. Your plan changes as soon as it has gone through.');

/** Voids the invoice, and with it the pending change. */
async function giveUp(client: StripeClient, { latest_invoice }: Stripe.Subscription, key: string): Promise<void> {
  const invoice = idOf(latest_invoice);
  if (invoice === null) return;
  const { status } = await client.ask((stripe) => stripe.invoices.retrieve(invoice));
  if (status === 'open')
    await client.askOnce(key, (stripe, options) => stripe.invoices.voidInvoice(invoice, {}, options));
}

/** Removes any scheduled change or cancellation. */
async function goOn(client: StripeClient, subscription: Stripe.Subscription, key: string): Promise<void> {
  await release(client, subscription, key);
  const { id, cancel_at, cancel_at_period_end } = subscription;
  if (!cancel_at_period_end && cancel_at === null) return;
  const changes = cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
  await client.askOnce(`${key}:on`, (stripe, options) => stripe.subscriptions.update(id, changes, options));
}

/** Releases the schedule; the subscription continues unchanged. */
async function release(client: StripeClient, { schedule }: Stripe.Subscription, key: string): Promise<void> {
  const planned = expandedOf(schedule);
  if (planned?.status !== 'active' && planned?.status !== 'not_started') return;
  await client.askOnce(`${key}:release`, (stripe, options) =>
    stripe.subscriptionSchedules.release(planned.id, {}, options),
  );
}

/** Needs two calls, because a schedule created from a subscription accepts no other parameters. */
async function scheduleChange(
  client: StripeClient,
  subscription: Stripe.Subscription,
  price: string,
  key: string,
): Promise<void> {
  const { id, cancel_at_period_end: ends } = subscription;
  const item = onlyItem(subscription);
  if (ends) await setEnd(client, id, false, `${key}:on`);
  const before = expandedOf(subscription.schedule);
  const schedule =
    before ??
    (await client.askOnce(`${key}:schedule`, (stripe, options) =>
      stripe.subscriptionSchedules.create({ from_subscription: id }, options),
    ));
  const phase = schedule.current_phase;
  // Phases do not inherit discounts, not even the current one.
  const kept = subscription.discounts.map((discount) => ({ discount: idOf(discount) ?? '' }));
  const discounts = kept.length > 0 ? { discounts: kept } : {};
  try {
    if (!phase) throw new PaymentFault('REFUSED', `The schedule ${schedule.id} is over.`);
    await client.askOnce(key, (stripe, options) =>
      stripe.subscriptionSchedules.update(
        schedule.id,
        {
          end_behavior: 'release',
          proration_behavior: 'none',
          phases: [
            {
              items: [{ price: item.price.id, quantity: item.quantity ?? 1 }],
              start_date: phase.start_date,
              end_date: phase.end_date,
              ...discounts,
            },
            { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 }, ...discounts },
          ],
        },
        options,
      ),
    );
  } catch (error) {
    // Not after UNAVAILABLE, when the outcome is unknown: a retry with the same key then finds the schedule in place.
    if (!before && error instanceof PaymentFault && error.fault !== 'UNAVAILABLE') {
      await client.ask((stripe) => stripe.subscriptionSchedules.release(schedule.id));
      if (ends) await setEnd(client, id, true, `${key}:back`);
    }
    throw error;
  }
}

async function setEnd(client: StripeClient, id: string, ends: boolean, key: string): Promise<void> {
  await client.askOnce(key, (stripe, options) =>
    stripe.subscriptions.update(id, { cancel_at_period_end: ends }, options),
  );
}

async function cancelLater(client: StripeClient, id: string, key: string): Promise<void> {
  const subscription = await read(client, id);
  await release(client, subscription, key);
  if (!subscription.cancel_at_period_end) await setEnd(client, id, true, key);
}

const OVER: readonly string[] = ['canceled', 'incomplete_expired'];

/** Does nothing if the subscription has already ended. */
async function cancelNow(client: StripeClient, id: string): Promise<void> {
  const { status } = await client.ask((stripe) => stripe.subscriptions.retrieve(id));
  if (!OVER.includes(status)) await client.ask((stripe) => stripe.subscriptions.cancel(id));
}
