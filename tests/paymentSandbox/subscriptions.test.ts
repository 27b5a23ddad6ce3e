/** The whole life of subscriptions, with the test clock. */
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, type GivenSandbox, givenSandbox, NOON, refusalOf } from '../given/paymentSandbox.ts';

let sandbox: GivenSandbox;
let customer: Stripe.Customer;
beforeEach(async () => {
  sandbox = await givenSandbox();
  customer = await sandbox.stripe.customers.create({ email: 'ada@example.com' });
});
afterEach(() => sandbox.end());

const seconds = (iso: string): number => Date.parse(iso) / 1_000;
const price = (tier: string, every = 'monthly'): string => `price_${tier}_${every}`;

async function saveCard(token = 'pm_card_visa'): Promise<string> {
  const { id } = await sandbox.stripe.paymentMethods.attach(token, { customer: customer.id });
  await sandbox.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } });
  return id;
}

async function subscribe(
  tier = 'tier1',
  params: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  await saveCard();
  return sandbox.stripe.subscriptions.create({ customer: customer.id, items: [{ price: price(tier) }], ...params });
}

const now = (id: string, expand: string[] = []) => sandbox.stripe.subscriptions.retrieve(id, { expand });
const periodOf = (subscription: Stripe.Subscription): number[] => [
  subscription.items.data[0]?.current_period_start ?? 0,
  subscription.items.data[0]?.current_period_end ?? 0,
];
const itemOf = (subscription: Stripe.Subscription): string => subscription.items.data[0]?.id ?? '';
const invoices = async () => (await sandbox.stripe.invoices.list({ customer: customer.id })).data;

describe('a subscription', () => {
  it('starts with a paid invoice and a month that ends on the last day', async () => {
    const subscription = await subscribe('tier1', {
      metadata: { userId: 'u-1' },
      expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret'],
    });
    expect(subscription).toMatchObject({
      status: 'active',
      metadata: { userId: 'u-1' },
      latest_invoice: { status: 'paid', amount_paid: 2_900, billing_reason: 'subscription_create' },
    });
    expect(periodOf(subscription)).toEqual([NOON / 1_000, seconds('2026-02-28T12:00:00Z')]);
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id);
    expect(invoice.payments?.data[0]).toMatchObject({
      status: 'paid',
      amount_paid: 2_900,
      payment: { type: 'payment_intent' },
    });
    expect(invoice.lines.data[0]).toMatchObject({
      amount: 2_900,
      pricing: { price_details: { price: price('tier1') } },
    });
    const types = await sandbox.eventTypes();
    expect(types).toEqual(
      expect.arrayContaining([
        'customer.subscription.created',
        'invoice.created',
        'invoice.finalized',
        'invoice.paid',
        'payment_intent.succeeded',
        'customer.subscription.updated',
      ]),
    );
  });

  it('renews every month on the day that it started', async () => {
    const { id } = await subscribe();
    await sandbox.advance(28);
    expect(periodOf(await now(id))).toEqual([seconds('2026-02-28T12:00:00Z'), seconds('2026-03-31T12:00:00Z')]);
    await sandbox.advance(62);
    expect(periodOf(await now(id))).toEqual([seconds('2026-04-30T12:00:00Z'), seconds('2026-05-31T12:00:00Z')]);
    expect(
      (await invoices()).map(({ billing_reason, status, amount_paid }) => [billing_reason, status, amount_paid]),
    ).toEqual([
      ['subscription_cycle', 'paid', 2_900],
      ['subscription_cycle', 'paid', 2_900],
      ['subscription_cycle', 'paid', 2_900],
      ['subscription_create', 'paid', 2_900],
    ]);
    // Dated at its own time, not at the time to which the clock was moved.
    expect((await invoices())[1]?.created).toBe(seconds('2026-03-31T12:00:00Z'));
  });

  it('does not start without a card, unless it may wait for one', async () => {
    const params = { customer: customer.id, items: [{ price: price('tier1') }] };
    expect(await refusalOf(sandbox.stripe.subscriptions.create(params))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
    });
    expect((await sandbox.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
    const waiting = await sandbox.stripe.subscriptions.create({
      ...params,
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret'],
    });
    expect(waiting.status).toBe('incomplete');
    const secret = (waiting.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? '';
    const paid = await sandbox.stripe.paymentIntents.confirm(secret.split('_secret_')[0] ?? '', {
      payment_method: 'pm_card_visa',
    });
    expect(await now(waiting.id)).toMatchObject({ status: 'active', default_payment_method: paid.payment_method });
    const other = await sandbox.stripe.subscriptions.create({ ...params, payment_behavior: 'default_incomplete' });
    await sandbox.advance(1);
    expect((await now(other.id)).status).toBe('incomplete_expired');
  });

  it('is refused, or left incomplete, when the card is declined', async () => {
    await saveCard('pm_card_chargeCustomerFail');
    const params = { customer: customer.id, items: [{ price: price('tier1') }] };
    expect(
      await refusalOf(sandbox.stripe.subscriptions.create({ ...params, payment_behavior: 'error_if_incomplete' })),
    ).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
    });
    expect(await invoices()).toEqual([]);
    expect((await sandbox.stripe.subscriptions.create(params)).status).toBe('incomplete');
  });

  it('starts with a trial, and is paid when the trial ends', async () => {
    const { id, status } = await subscribe('tier2', { trial_period_days: 7 });
    expect(status).toBe('trialing');
    await sandbox.advance(7);
    expect(await now(id, ['latest_invoice'])).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 7_900 },
    });
    const paused = await sandbox.stripe.subscriptions.create({
      customer: (await sandbox.stripe.customers.create()).id,
      items: [{ price: price('tier1') }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    });
    await sandbox.advance(8);
    expect((await now(paused.id)).status).toBe('paused');
    await sandbox.stripe.subscriptions.update(paused.id, {
      default_payment_method: (
        await sandbox.stripe.paymentMethods.attach('pm_card_visa', { customer: String(paused.customer) })
      ).id,
    });
    expect((await sandbox.stripe.subscriptions.resume(paused.id)).status).toBe('active');
  });

  it('costs less with a code for as long as the code lasts', async () => {
    const coupon = await sandbox.stripe.coupons.create({ percent_off: 25, duration: 'once' });
    const code = await sandbox.stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'ONCE',
      max_redemptions: 1,
    });
    await subscribe('tier1', { discounts: [{ promotion_code: code.id }] });
    await sandbox.advance(28);
    expect((await invoices()).map(({ amount_paid }) => amount_paid)).toEqual([2_900, 2_175]);
    expect(
      await refusalOf(
        sandbox.stripe.subscriptions.create({
          customer: customer.id,
          items: [{ price: price('tier1') }],
          discounts: [{ promotion_code: code.id }],
        }),
      ),
    ).toMatchObject({ statusCode: 400 });
  });
});

describe('an upgrade', () => {
  const upgrade = (subscription: Stripe.Subscription, params: Stripe.SubscriptionUpdateParams = {}, tier = 'tier3') =>
    sandbox.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: price(tier) }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      ...params,
    });

  it('charges the prorated amount at once, as previewed', async () => {
    const subscription = await subscribe('tier1');
    await sandbox.advance(14);
    const preview = await sandbox.stripe.invoices.createPreview({
      customer: customer.id,
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: itemOf(subscription), price: price('tier3') }],
        proration_behavior: 'always_invoice',
        proration_date: await sandbox.now(),
      },
    });
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-1_450, 9_950]);
    expect(preview.amount_due).toBe(8_500);
    const changed = await upgrade(subscription, { expand: ['latest_invoice'] });
    expect(changed).toMatchObject({
      status: 'active',
      pending_update: null,
      latest_invoice: { amount_paid: 8_500, billing_reason: 'subscription_update' },
    });
    expect([changed.items.data[0]?.price.id, periodOf(changed)]).toEqual([price('tier3'), periodOf(subscription)]);
    await sandbox.advance(14);
    expect((await invoices())[0]?.amount_paid).toBe(19_900);
  });

  it('stays pending when the card is declined, and then applies fully or not at all', async () => {
    const subscription = await subscribe('tier1');
    await saveCard('pm_card_chargeCustomerFail');
    const waiting = await upgrade(subscription);
    expect([
      waiting.items.data[0]?.price.id,
      waiting.pending_update?.subscription_items?.[0]?.price.id,
      waiting.status,
    ]).toEqual([price('tier1'), price('tier3'), 'active']);
    await saveCard();
    await sandbox.stripe.invoices.pay(String(waiting.latest_invoice));
    expect((await now(subscription.id)).items.data[0]?.price.id).toBe(price('tier3'));
    await saveCard('pm_card_chargeCustomerFail');
    await upgrade(subscription, {}, 'tier4');
    await sandbox.advance(1);
    const kept = await now(subscription.id, ['latest_invoice']);
    expect([kept.items.data[0]?.price.id, kept.pending_update, (kept.latest_invoice as Stripe.Invoice).status]).toEqual(
      [price('tier3'), null, 'void'],
    );
  });

  it('is refused if the payment fails, on request', async () => {
    const subscription = await subscribe('tier1');
    await saveCard('pm_card_chargeCustomerFail');
    expect(await refusalOf(upgrade(subscription, { payment_behavior: 'error_if_incomplete' }))).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    expect([(await now(subscription.id)).items.data[0]?.price.id, (await invoices()).length]).toEqual([
      price('tier1'),
      1,
    ]);
  });

  it('to a yearly price starts a new period, and credits the unused time', async () => {
    const subscription = await subscribe('tier1');
    await sandbox.advance(14);
    const changed = await sandbox.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: price('tier1', 'yearly') }],
    });
    expect(periodOf(changed)).toEqual([await sandbox.now(), seconds('2027-02-14T12:00:00Z')]);
    expect((await invoices())[0]?.amount_paid).toBe(29_000 - 1_450);
  });

  it('can wait for the next invoice', async () => {
    const subscription = await subscribe('tier1');
    await sandbox.advance(14);
    await sandbox.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription), price: price('tier2') }],
    });
    await sandbox.advance(14);
    expect((await invoices())[0]?.amount_paid).toBe(7_900 + 3_950 - 1_450);
  });
});

describe('a downgrade', () => {
  async function schedule(subscription: Stripe.Subscription): Promise<Stripe.SubscriptionSchedule> {
    const made = await sandbox.stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [phase] = made.phases;
    return sandbox.stripe.subscriptionSchedules.update(made.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        { items: [{ price: price('tier3') }], start_date: phase?.start_date ?? 0, end_date: phase?.end_date ?? 0 },
        { items: [{ price: price('tier1') }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
  }

  it('waits for the end of the period', async () => {
    const subscription = await subscribe('tier3');
    const planned = await schedule(subscription);
    expect((await now(subscription.id)).schedule).toBe(planned.id);
    expect(
      await refusalOf(sandbox.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })),
    ).toMatchObject({ statusCode: 400 });
    await sandbox.advance(27);
    expect((await now(subscription.id)).items.data[0]?.price.id).toBe(price('tier3'));
    await sandbox.advance(1);
    const changed = await now(subscription.id);
    expect([changed.items.data[0]?.id, changed.items.data[0]?.price.id]).toEqual([
      itemOf(subscription),
      price('tier1'),
    ]);
    expect((await invoices())[0]?.amount_paid).toBe(2_900);
    await sandbox.advance(31);
    expect([
      (await now(subscription.id)).schedule,
      (await sandbox.stripe.subscriptionSchedules.retrieve(planned.id)).status,
    ]).toEqual([null, 'released']);
    expect((await invoices())[0]?.amount_paid).toBe(2_900);
  });

  it('can be undone', async () => {
    const subscription = await subscribe('tier3');
    const { id } = await schedule(subscription);
    expect(await sandbox.stripe.subscriptionSchedules.release(id)).toMatchObject({
      status: 'released',
      released_subscription: subscription.id,
    });
    await sandbox.advance(28);
    expect((await now(subscription.id)).items.data[0]?.price.id).toBe(price('tier3'));
    expect(await sandbox.eventTypes()).toEqual(
      expect.arrayContaining([
        'subscription_schedule.created',
        'subscription_schedule.updated',
        'subscription_schedule.released',
      ]),
    );
  });
});

describe('the end', () => {
  it('comes with the end of the period, unless it is undone', async () => {
    const { id } = await subscribe();
    const ending = await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(ending).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: seconds('2026-02-28T12:00:00Z'),
      cancellation_details: { reason: 'cancellation_requested' },
    });
    expect(await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at: null,
      canceled_at: null,
    });
    await sandbox.advance(28);
    expect((await now(id)).status).toBe('active');
    await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await sandbox.advance(31);
    expect(await now(id)).toMatchObject({ status: 'canceled', ended_at: seconds('2026-03-31T12:00:00Z') });
    expect((await sandbox.eventTypes()).at(-1)).toBe('customer.subscription.deleted');
  });

  it('comes at once', async () => {
    const { id } = await subscribe();
    expect(
      await sandbox.stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'Thanks' } }),
    ).toMatchObject({
      status: 'canceled',
      cancellation_details: { comment: 'Thanks' },
    });
    expect((await sandbox.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
    expect(await refusalOf(sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: true }))).toMatchObject({
      statusCode: 400,
    });
    await sandbox.advance(40);
    expect(await invoices()).toHaveLength(1);
  });
});

describe('a renewal that fails', () => {
  it('is retried after 3, 5 and 7 days, and then ends the subscription', async () => {
    const { id } = await subscribe();
    await saveCard('pm_card_chargeCustomerFail');
    await sandbox.advance(28);
    expect(await now(id, ['latest_invoice'])).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1, next_payment_attempt: seconds('2026-03-03T12:00:00Z') },
    });
    await sandbox.advance(3);
    expect(await now(id, ['latest_invoice'])).toMatchObject({
      status: 'past_due',
      latest_invoice: { attempt_count: 2, next_payment_attempt: seconds('2026-03-08T12:00:00Z') },
    });
    await sandbox.advance(5 + 7);
    expect(await now(id, ['latest_invoice'])).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
      latest_invoice: { attempt_count: 4, next_payment_attempt: null },
    });
    expect((await sandbox.eventTypes()).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4);
  });

  it('is recovered with another card, by hand or at the next retry', async () => {
    const { id } = await subscribe();
    await saveCard('pm_card_chargeCustomerFail');
    await sandbox.advance(28);
    const open = String((await now(id)).latest_invoice);
    expect(await refusalOf(sandbox.stripe.invoices.pay(open))).toMatchObject({ type: 'StripeCardError' });
    await saveCard();
    expect((await sandbox.stripe.invoices.pay(open)).status).toBe('paid');
    expect((await now(id)).status).toBe('active');
    await saveCard('pm_card_chargeCustomerFail');
    await sandbox.advance(31);
    await saveCard();
    await sandbox.advance(3);
    expect((await now(id)).status).toBe('active');
  });

  it('asks the cardholder to confirm if the card requires it', async () => {
    const { id } = await subscribe();
    await saveCard('pm_card_authenticationRequired');
    await sandbox.advance(28);
    expect((await now(id)).status).toBe('past_due');
    expect(await sandbox.eventTypes()).toEqual(
      expect.arrayContaining(['invoice.payment_action_required', 'invoice.payment_failed']),
    );
  });

  it('leaves the subscription unpaid if the shop is set up so', async () => {
    await sandbox.end();
    sandbox = await givenSandbox({ afterLastTry: 'mark_unpaid' });
    customer = await sandbox.stripe.customers.create();
    const { id } = await subscribe();
    await saveCard('pm_card_chargeCustomerFail');
    await sandbox.advance(28 + 15);
    expect((await now(id)).status).toBe('unpaid');
    await saveCard();
    await sandbox.stripe.invoices.pay(String((await now(id)).latest_invoice));
    expect((await now(id)).status).toBe('active');
  });
});

it('keeps its clock and its data across a restart', async () => {
  const { id } = await subscribe();
  await sandbox.advance(10);
  await sandbox.close();
  const again = await givenSandbox({ dataDir: sandbox.dataDir });
  expect(await again.now()).toBe(NOON / 1_000 + 10 * DAY);
  await again.advance(18);
  expect((await again.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).latest_invoice).toMatchObject({
    billing_reason: 'subscription_cycle',
  });
  await again.close();
});
