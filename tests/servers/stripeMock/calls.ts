/** Each kind of call that a shop makes, at least once, in the order of their dependencies. */
import type Stripe from 'stripe';
import type { GivenSandbox } from '../../given/paymentSandbox.ts';

export async function callAll(stripe: Stripe, sandbox: GivenSandbox): Promise<void> {
  const customer = await stripe.customers.create({
    email: 'ada@example.com',
    name: 'Ada',
    address: { line1: '1 Main St', city: 'Portland', state: 'OR', postal_code: '97201', country: 'US' },
    metadata: { userId: 'u-1' },
  });
  await oncePaid(stripe, sandbox, customer.id);
  await stripe.customers.retrieve(customer.id);
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.paymentMethods.retrieve(method.id);
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  await stripe.customers.listPaymentMethods(customer.id, { type: 'card' });
  await stripe.customers.list({ email: 'ada@example.com', limit: 1 });
  await subscribed(stripe, sandbox, customer.id);
  await hosted(stripe, sandbox, customer.id);
  await told(stripe);
  await stripe.paymentMethods.detach(method.id);
  await stripe.customers.del(customer.id);
}

async function oncePaid(stripe: Stripe, sandbox: GivenSandbox, customer: string): Promise<void> {
  await stripe.accounts.retrieveCurrent();
  await stripe.prices.list({ lookup_keys: ['report', 'tier1_monthly'], active: true, expand: ['data.product'] });
  await stripe.prices.retrieve('price_report');
  await stripe.products.retrieve('prod_report');
  const coupon = await stripe.coupons.create({ percent_off: 15, duration: 'once' });
  await stripe.coupons.retrieve(coupon.id);
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: 'SPRING',
    max_redemptions: 10,
  });
  await stripe.promotionCodes.list({ code: 'spring', active: true, limit: 1, expand: ['data.promotion.coupon'] });
  await stripe.promotionCodes.retrieve(code.id);
  const intent = await stripe.paymentIntents.create({
    amount: 12_750,
    currency: 'usd',
    customer,
    receipt_email: 'ada@example.com',
    setup_future_usage: 'off_session',
    metadata: { orderId: 'o-1' },
    automatic_payment_methods: { enabled: true },
  });
  await stripe.paymentIntents.update(intent.id, { metadata: { quantity: '3' } });
  await stripe.paymentIntents
    .confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' })
    .catch(() => undefined);
  await stripe.paymentIntents.retrieve(intent.id);
  await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: 'https://shop.example/back',
  });
  await sandbox.control('challenges', { intent: intent.id, outcome: 'succeed' });
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  await stripe.paymentIntents.list({ customer, limit: 5 });
  await stripe.charges.retrieve((paid.latest_charge as Stripe.Charge).id);
  const refund = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 1_000,
    reason: 'requested_by_customer',
  });
  await stripe.refunds.retrieve(refund.id);
  await stripe.refunds.list({ payment_intent: intent.id });
  const disputed = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    customer,
    confirm: true,
    payment_method: 'pm_card_createDispute',
    return_url: 'https://shop.example/back',
  });
  await stripe.disputes.list({ payment_intent: disputed.id });
  const given = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  await stripe.paymentIntents.cancel(given.id);
  const setup = await stripe.setupIntents.create({ customer, usage: 'off_session' });
  await stripe.setupIntents.confirm(setup.id, {
    payment_method: 'pm_card_mastercard',
    return_url: 'https://shop.example/back',
  });
  await stripe.setupIntents.retrieve(setup.id);
  await stripe.events.list({ limit: 100 });
}

async function subscribed(stripe: Stripe, sandbox: GivenSandbox, customer: string): Promise<void> {
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: 'price_tier1_monthly' }],
    metadata: { userId: 'u-1' },
    expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret'],
  });
  const item = subscription.items.data[0]?.id ?? '';
  await sandbox.advance(10);
  const items = [{ id: item, price: 'price_tier3_monthly' }];
  await stripe.invoices.createPreview({
    customer,
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date: await sandbox.now() },
  });
  await stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const [phase] = schedule.phases;
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: [{ price: 'price_tier3_monthly', quantity: 1 }],
        start_date: phase?.start_date ?? 0,
        end_date: phase?.end_date ?? 0,
      },
      { items: [{ price: 'price_tier1_monthly', quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
    ],
  });
  await stripe.subscriptionSchedules.retrieve(schedule.id);
  await stripe.subscriptionSchedules.release(schedule.id);
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  await stripe.events.list({ limit: 100 });
  await sandbox.advance(30);
  await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice', 'default_payment_method'] });
  await stripe.subscriptions.list({ customer, status: 'all', limit: 10 });
  const [invoice] = (await stripe.invoices.list({ customer, subscription: subscription.id })).data;
  await stripe.invoices.retrieve(invoice?.id ?? '', { expand: ['payments'] });
  await stripe.invoicePayments.list({ invoice: invoice?.id ?? '' });
  await stripe.subscriptions.cancel(subscription.id);
}

async function hosted(stripe: Stripe, _: GivenSandbox, customer: string): Promise<void> {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: 'u-1',
    line_items: [{ price: 'price_tier2_monthly', quantity: 1 }],
    success_url: 'https://shop.example/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.example/plans',
    allow_promotion_codes: true,
    subscription_data: { metadata: { userId: 'u-1' } },
  });
  await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] });
  await stripe.checkout.sessions.list({ customer });
  await stripe.checkout.sessions.expire(session.id);
  await stripe.billingPortal.configurations.list({ is_default: true });
  await stripe.billingPortal.sessions.create({ customer, return_url: 'https://shop.example/account' });
  await stripe.billingPortal.configurations.list({ active: true });
}

async function told(stripe: Stripe): Promise<void> {
  const events = await stripe.events.list({ limit: 100, delivery_success: true });
  await stripe.events.retrieve(events.data[0]?.id ?? '');
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/hook',
    enabled_events: ['payment_intent.succeeded'],
  });
  await stripe.webhookEndpoints.list({ limit: 10 });
  await stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ['*'] });
  await stripe.webhookEndpoints.del(endpoint.id);
}
