/** One-time payments: cards that succeed, are declined, need confirmation or are delayed; refunds and disputes. */
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GivenSandbox, givenSandbox, refusalOf, stripeOf } from '../given/paymentSandbox.ts';

let sandbox: GivenSandbox;
beforeEach(async () => {
  sandbox = await givenSandbox();
});
afterEach(() => sandbox.end());

const card = (number: string): Stripe.PaymentIntentConfirmParams => ({
  payment_method_data: {
    type: 'card',
    card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
    billing_details: { name: 'Ada' },
  } as Stripe.PaymentIntentConfirmParams.PaymentMethodData,
});

const newIntent = (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  sandbox.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd', ...params });

describe('the catalog', () => {
  it('has the listed prices by lookup key', async () => {
    const [report] = (
      await sandbox.stripe.prices.list({ lookup_keys: ['report'], active: true, expand: ['data.product'] })
    ).data;
    expect(report).toMatchObject({
      unit_amount: 5_000,
      currency: 'usd',
      type: 'one_time',
      product: { name: 'Report' },
    });
    const tiers = await sandbox.stripe.prices.list({
      lookup_keys: ['free', 'tier1', 'tier2', 'tier3', 'tier4'].map((tier) => `${tier}_monthly`),
    });
    expect(tiers.data.map(({ lookup_key, unit_amount }) => [lookup_key, unit_amount]).sort()).toEqual([
      ['free_monthly', 0],
      ['tier1_monthly', 2_900],
      ['tier2_monthly', 7_900],
      ['tier3_monthly', 19_900],
      ['tier4_monthly', 49_900],
    ]);
    expect(tiers.data[0]?.unit_amount_decimal?.toString()).toBe(String(tiers.data[0]?.unit_amount));
    expect((await sandbox.stripe.prices.list({ lookup_keys: ['tier2_yearly'] })).data[0]).toMatchObject({
      unit_amount: 79_000,
      recurring: { interval: 'year' },
    });
  });

  it('applies codes in any case until they expire', async () => {
    const coupon = await sandbox.stripe.coupons.create({ percent_off: 12.5, duration: 'once' });
    const code = await sandbox.stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'SPRING',
      expires_at: (await sandbox.now()) + 60,
      max_redemptions: 5,
    });
    const [found] = (
      await sandbox.stripe.promotionCodes.list({
        code: 'spring',
        active: true,
        limit: 1,
        expand: ['data.promotion.coupon'],
      })
    ).data;
    expect(found).toMatchObject({ id: code.id, promotion: { coupon: { percent_off: 12.5, valid: true } } });
    await sandbox.control('clock', { by: 61 });
    expect((await sandbox.stripe.promotionCodes.list({ code: 'SPRING', active: true })).data).toEqual([]);
    expect((await sandbox.stripe.promotionCodes.retrieve(code.id)).active).toBe(false);
  });
});

describe('a payment', () => {
  it('succeeds, saves the card on request, and sends an event for each step', async () => {
    const customer = await sandbox.stripe.customers.create({ email: 'ada@example.com' });
    const intent = await newIntent({
      customer: customer.id,
      setup_future_usage: 'off_session',
      metadata: { orderId: 'o-1' },
      receipt_email: 'ada@example.com',
      automatic_payment_methods: { enabled: true },
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    const browser = stripeOf(sandbox.url, sandbox.publishableKey);
    const paid = await browser.paymentIntents.confirm(intent.id, {
      ...card('4242 4242 4242 4242'),
      client_secret: intent.client_secret,
    } as Stripe.PaymentIntentConfirmParams);
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 5_000, metadata: { orderId: 'o-1' } });
    const saved = await sandbox.stripe.customers.listPaymentMethods(customer.id);
    expect(saved.data.map(({ card: kept }) => kept?.last4)).toEqual(['4242']);
    expect(await sandbox.eventTypes()).toEqual([
      'customer.created',
      'payment_intent.created',
      'charge.succeeded',
      'payment_method.attached',
      'payment_intent.succeeded',
    ]);
    const again = await newIntent({
      customer: customer.id,
      payment_method: saved.data[0]?.id ?? '',
      off_session: true,
      confirm: true,
    });
    expect(again.status).toBe('succeeded');
    expect(await refusalOf(sandbox.stripe.paymentIntents.confirm(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
  ])('is declined with card %s: %s, %s', async (number, code, declineCode) => {
    const intent = await newIntent();
    const refused = await refusalOf(sandbox.stripe.paymentIntents.confirm(intent.id, card(number)));
    expect(refused).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code: declineCode,
      payment_intent: { id: intent.id, status: 'requires_payment_method' },
    });
    const after = await sandbox.stripe.paymentIntents.retrieve(intent.id);
    expect(after.last_payment_error).toMatchObject({ code, decline_code: declineCode });
    expect(await sandbox.eventTypes()).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ]);
    expect((await sandbox.stripe.paymentIntents.confirm(intent.id, card('4242424242424242'))).status).toBe('succeeded');
  });

  it.each([
    ['4242424242424241', 'incorrect_number'],
    ['4111111111111111', 'card_declined'],
  ])('asks no card of number %s', async (number, code) => {
    const intent = await newIntent();
    expect(await refusalOf(sandbox.stripe.paymentIntents.confirm(intent.id, card(number)))).toMatchObject({
      type: 'StripeCardError',
      code,
    });
    expect((await sandbox.stripe.charges.list()).data).toEqual([]);
  });

  it('asks the cardholder to confirm on a page, and redirects back', async () => {
    const intent = await newIntent();
    const asked = await sandbox.stripe.paymentIntents.confirm(intent.id, {
      ...card('4000000000003220'),
      return_url: 'http://localhost:9/back?x=1',
    });
    expect(asked.status).toBe('requires_action');
    const url = asked.next_action?.redirect_to_url?.url ?? '';
    const page = await (await fetch(url)).text();
    expect(page).toContain('$50.00');
    expect(page).toContain('Payment sandbox: no real card is charged');
    expect((await fetch(url.replace('secret', 'guess'))).status).toBe(404);
    const form = new URLSearchParams({ token: intent.client_secret ?? '', answer: 'complete' });
    const foreign = await fetch(url, {
      method: 'POST',
      body: form,
      headers: { origin: 'http://evil.example' },
      redirect: 'manual',
    });
    expect(foreign.status).toBe(403);
    const answered = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    const back = new URL(answered.headers.get('location') ?? '');
    expect([
      back.host,
      back.searchParams.get('x'),
      back.searchParams.get('redirect_status'),
      back.searchParams.get('payment_intent'),
    ]).toEqual(['localhost:9', '1', 'succeeded', intent.id]);
    expect((await sandbox.stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
    expect(await sandbox.eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'charge.succeeded',
      'payment_intent.succeeded',
    ]);
  });

  it('fails if the cardholder refuses, and may be declined after confirmation', async () => {
    const no = await newIntent();
    await sandbox.stripe.paymentIntents.confirm(no.id, card('4000000000003220'));
    await sandbox.control('challenges', { intent: no.id, outcome: 'fail' });
    expect(await sandbox.stripe.paymentIntents.retrieve(no.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    const poor = await newIntent();
    await sandbox.stripe.paymentIntents.confirm(poor.id, card('4000008260003178'));
    await sandbox.control('challenges', { intent: poor.id, outcome: 'succeed' });
    expect(await sandbox.stripe.paymentIntents.retrieve(poor.id)).toMatchObject({
      last_payment_error: { decline_code: 'insufficient_funds' },
    });
  });

  it('requires confirmation if it is made off-session', async () => {
    const customer = await sandbox.stripe.customers.create({ payment_method: 'pm_card_authenticationRequiredOnSetup' });
    const [saved] = (await sandbox.stripe.customers.listPaymentMethods(customer.id)).data;
    const pay = () =>
      newIntent({ customer: customer.id, payment_method: saved?.id ?? '', off_session: true, confirm: true });
    expect(await refusalOf(pay())).toMatchObject({ code: 'authentication_required' });
    const setup = await sandbox.stripe.setupIntents.create({
      customer: customer.id,
      payment_method: saved?.id ?? '',
      confirm: true,
    });
    await sandbox.control('challenges', { intent: setup.id, outcome: 'succeed' });
    expect((await sandbox.stripe.setupIntents.retrieve(setup.id)).status).toBe('succeeded');
    expect((await pay()).status).toBe('succeeded');
  });

  it('is delayed, and then succeeds or fails', async () => {
    const slow = async () => sandbox.stripe.paymentIntents.confirm((await newIntent()).id, card('4000000000001000'));
    const [one, other] = [await slow(), await slow()];
    expect(one.status).toBe('processing');
    await sandbox.control('payments', { payment_intent: other.id, outcome: 'fail' });
    expect((await sandbox.stripe.paymentIntents.retrieve(other.id)).status).toBe('requires_payment_method');
    await sandbox.control('clock', { by: 31 });
    expect((await sandbox.stripe.paymentIntents.retrieve(one.id)).status).toBe('succeeded');
  });

  it('can be canceled until it is paid', async () => {
    const intent = await newIntent();
    expect((await sandbox.stripe.paymentIntents.cancel(intent.id)).status).toBe('canceled');
    expect(await refusalOf(sandbox.stripe.paymentIntents.confirm(intent.id, card('4242424242424242')))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });
});

describe('saved cards', () => {
  it('are declined, attached, made the default, and detached', async () => {
    const customer = await sandbox.stripe.customers.create();
    expect(
      await refusalOf(sandbox.stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer: customer.id })),
    ).toMatchObject({
      type: 'StripeCardError',
    });
    const method = await sandbox.stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    const changed = await sandbox.stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: method.id },
    });
    expect(changed.invoice_settings.default_payment_method).toBe(method.id);
    await sandbox.stripe.paymentMethods.detach(method.id);
    expect(await sandbox.stripe.customers.retrieve(customer.id)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect(JSON.stringify(await sandbox.stripe.paymentMethods.retrieve(method.id))).not.toContain('5555555555554444');
  });

  it('are saved without a payment, unless they are declined', async () => {
    const customer = await sandbox.stripe.customers.create();
    const setup = await sandbox.stripe.setupIntents.create({ customer: customer.id });
    expect(
      await refusalOf(
        sandbox.stripe.setupIntents.confirm(setup.id, {
          payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds',
        }),
      ),
    ).toMatchObject({
      decline_code: 'insufficient_funds',
    });
    expect((await sandbox.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' })).status).toBe(
      'succeeded',
    );
    expect((await sandbox.stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
  });
});

describe('refunds and disputes', () => {
  it('refund in parts, and never more than was paid', async () => {
    const intent = await newIntent({ confirm: true, payment_method: 'pm_card_visa' });
    await sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 2_000, reason: 'requested_by_customer' });
    const charge = await sandbox.stripe.charges.retrieve(String(intent.latest_charge));
    expect(charge).toMatchObject({ amount_refunded: 2_000, refunded: false });
    expect(
      (await refusalOf(sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 3_001 }))).message,
    ).toContain('greater than unrefunded amount on charge ($30.00)');
    await sandbox.stripe.refunds.create({ charge: charge.id });
    expect(await sandbox.stripe.charges.retrieve(charge.id, { expand: ['refunds'] })).toMatchObject({
      amount_refunded: 5_000,
      refunded: true,
      refunds: { data: [{ amount: 3_000 }, { amount: 2_000 }] },
    });
    expect(await refusalOf(sandbox.stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await sandbox.eventTypes()).filter((type) => type === 'charge.refunded')).toHaveLength(2);
  });

  it('dispute a payment by its card, lost or won, and on demand later', async () => {
    const disputed = await newIntent({ confirm: true, payment_method: 'pm_card_createDispute' });
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: disputed.id })).data;
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 5_000, reason: 'fraudulent' });
    expect(
      (
        await sandbox.stripe.disputes.update(dispute?.id ?? '', {
          evidence: { uncategorized_text: 'winning_evidence' },
        })
      ).status,
    ).toBe('won');
    const later = await newIntent({ confirm: true, payment_method: 'pm_card_visa' });
    const made = await sandbox.control<Stripe.Dispute>('disputes', {
      payment_intent: later.id,
      reason: 'product_not_received',
    });
    await sandbox.control('disputes/close', { dispute: made.id, outcome: 'lost' });
    expect((await sandbox.stripe.disputes.retrieve(made.id)).status).toBe('lost');
    expect((await sandbox.eventTypes()).filter((type) => type.startsWith('charge.dispute.'))).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
    ]);
    expect(await sandbox.control('books')).toMatchObject({
      total: { charges: 2, paid: 10_000, refunded: 0, disputed: 5_000 },
    });
  });
});
