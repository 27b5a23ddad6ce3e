/** A failing provider: nothing is done twice, and errors are reported in the port's terms. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaymentFault } from '../../../src/integrations/payments/payments.ts';
import { faultOf } from '../../contract/payments.ts';
import { type GivenPayments, givenPayments, paymentsOf, SANDBOX_PRICES } from '../../given/payments.ts';

let given: GivenPayments;
beforeEach(async () => {
  given = await givenPayments();
});
afterEach(() => given.end());

const purchase = (customerId: string) => ({
  userId: 'u-1',
  customerId,
  quantity: 1,
  amount: 5_000,
  currency: 'usd',
  funds: 5_000,
  discountCode: null,
  codeUse: null,
  billingEmail: 'ada@example.com',
  savePaymentMethod: true,
  key: 'k-1',
});

describe('a provider that fails', () => {
  it('does the work once if its response is lost, however often the request is repeated', async () => {
    const wish = purchase(await given.customer('u-1'));
    await given.sandbox.faults({ effect: 'lose_answer', match: 'POST /v1/payment_intents' });
    // The library itself retries once with the same key when a connection is closed.
    const { paymentIntentId } = await given.payments.startPayment(wish);
    expect(await given.payments.startPayment(wish)).toMatchObject({ paymentIntentId });
    expect((await given.stripe.paymentIntents.list({ limit: 100 })).data.map(({ id }) => id)).toEqual([
      paymentIntentId,
    ]);
  });

  it('is unavailable while it is overloaded', async () => {
    const wish = purchase(await given.customer('u-1'));
    await given.sandbox.faults({ effect: 'rate_limit' });
    expect(await faultOf(given.payments.startPayment(wish))).toMatchObject({ fault: 'UNAVAILABLE' });
    await given.sandbox.faults({ effect: 'server_error' });
    expect(await faultOf(given.payments.startPayment({ ...wish, key: 'k-2' }))).toMatchObject({ fault: 'UNAVAILABLE' });
    expect(await faultOf(given.payments.payment('pi_1'))).toMatchObject({ fault: 'UNAVAILABLE' });
    await given.sandbox.faults();
    // It keeps the failure under this key for a day; the request must still go through.
    expect(await given.payments.startPayment({ ...wish, key: 'k-2' })).toMatchObject({
      paymentIntentId: expect.any(String),
    });
  });

  it('is unavailable if it cannot be reached or rejects our key', async () => {
    const away = paymentsOf({ url: 'http://127.0.0.1:1', secretKey: 'sk_sandbox_1', publishableKey: 'pk_1' });
    expect(await faultOf(away.catalogue())).toMatchObject({ fault: 'UNAVAILABLE' });
    const locked = paymentsOf({ ...given.sandbox, secretKey: 'sk_sandbox_of_somebody_else' });
    const { fault, message } = await faultOf(locked.customer('cus_1'));
    expect(fault).toBe('UNAVAILABLE');
    expect(message).not.toContain('sk_sandbox_of_somebody_else');
  });

  it('times out', async () => {
    await given.sandbox.faults({ effect: 'slow', ms: 60_000 });
    const hasty = paymentsOf(given.sandbox, { timeoutMs: 20 });
    expect(await faultOf(hasty.customer('cus_1'))).toMatchObject({ fault: 'UNAVAILABLE' });
  });

  it('reports errors in the port’s terms, without the details of the library’s error', async () => {
    const customerId = await given.customer('u-1');
    const { id } = await given.subscribe('u-1', customerId);
    await given.saveCard(customerId, 'pm_card_chargeCustomerFail');
    const error = await given.payments
      .upgrade({ subscriptionId: id, tier: 'tier2', key: 'k-1' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PaymentFault);
    expect(Object.keys(error as object).sort()).toEqual(['fault', 'name']);
    expect((error as PaymentFault).cause).toBeUndefined();
  });
});

describe('the catalogue', () => {
  it('is cached for five minutes, and kept while the provider is unavailable', async () => {
    let time = Date.UTC(2026, 0, 31, 12);
    const payments = paymentsOf(given.sandbox, { now: () => new Date(time).toISOString() });
    const [first, twin] = await Promise.all([payments.catalogue(), payments.catalogue()]);
    expect(twin).toEqual(first);
    await given.sandbox.faults({ effect: 'rate_limit' });
    expect(await payments.catalogue()).toEqual(first);
    time += 10 * 60_000;
    expect(await payments.catalogue()).toEqual(first);
  });

  it('is fetched again a minute after a failure', async () => {
    let time = Date.UTC(2026, 0, 31, 12);
    const payments = paymentsOf(given.sandbox, { now: () => new Date(time).toISOString() });
    const price = async () => (await payments.catalogue()).report.amount;
    expect(await price()).toBe(5_000);
    await given.stripe.prices.create({
      currency: 'usd',
      unit_amount: 6_000,
      product_data: { name: 'Dearer' },
      lookup_key: 'report',
      transfer_lookup_key: true,
    });
    time += 5 * 60_000;
    await given.sandbox.faults({ effect: 'rate_limit', times: 1 });
    // Not by each request in the meantime: all of them would have to wait.
    expect([await price(), await price()]).toEqual([5_000, 5_000]);
    time += 60_000;
    expect(await price()).toBe(6_000);
  });

  it('fails as a whole, whether prices are ids or lookup keys', async () => {
    const away = { url: 'http://127.0.0.1:1', secretKey: 'sk_sandbox_1', publishableKey: 'pk_1' };
    // An unhandled rejection would end the process.
    const prices = { ...SANDBOX_PRICES, report: 'price_report' };
    expect(await faultOf(paymentsOf(away, { prices }).catalogue())).toMatchObject({ fault: 'UNAVAILABLE' });
  });

  it('rejects prices that cannot be shown, do not exist, or are of the wrong kind', async () => {
    const { stripe } = given;
    const price = async (params: object) =>
      (
        await stripe.prices.create({
          currency: 'usd',
          unit_amount: 2_900,
          recurring: { interval: 'month' },
          product_data: { name: 'Odd' },
          ...params,
        })
      ).id;
    const refused = async (tier1: string, report = 'report') =>
      (
        await faultOf(
          paymentsOf(given.sandbox, { prices: { report, tiers: { ...SANDBOX_PRICES.tiers, tier1 } } }).catalogue(),
        )
      ).message;
    expect(await refused(await price({ unit_amount: 2_950 }))).toMatch(
      /is 29\.50 usd; the price of a plan \(Basic\) is shown as a whole number/,
    );
    expect(await refused('tier1_yearly')).toContain('not paid every month');
    expect(await refused('report')).toContain('not paid every month');
    expect(await refused('price_nothing')).toContain('is not there');
    expect(await refused(await price({ currency: 'eur' }))).toContain('all are in one currency');
    expect(await refused('tier1_monthly', 'tier2_monthly')).toContain('a report is paid once');
    expect(await refused(await price({ currency: 'jpy' }))).toContain(
      'is in jpy, which the payment provider counts without decimals; a currency with two is needed',
    );
    expect(await refused(await price({ currency: 'kwd' }))).toContain('counts with 3 decimals');
    expect(await refused(await price({ currency: 'isk' }))).toContain('charges only whole units');
    // It has hundredths at the provider, though none in locale data.
    expect(await refused(await price({ currency: 'huf' }))).toContain('all are in one currency');
  });

  it('picks up new prices', async () => {
    let time = Date.UTC(2026, 0, 31, 12);
    const payments = paymentsOf(given.sandbox, { now: () => new Date(time).toISOString() });
    const customer = await given.customer('u-1');
    await given.saveCard(customer);
    const monthly = { currency: 'usd', unit_amount: 3_900, recurring: { interval: 'month' } } as const;
    const price = await given.stripe.prices.create({ ...monthly, product_data: { name: 'Basic, new' } });
    const { id } = await given.stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      metadata: { user_id: 'u-1' },
    });
    expect((await payments.subscription(id))?.subscription).toMatchObject({ tier: null, price: 3_900 });
    await given.stripe.prices.create({
      ...monthly,
      product: String(price.product),
      lookup_key: 'tier1_monthly',
      transfer_lookup_key: true,
    });
    time += 5 * 60_000;
    expect((await payments.subscription(id))?.subscription).toMatchObject({ tier: 'tier1', price: 3_900 });
  });

  it('recognizes subscriptions at a former price', async () => {
    const { stripe, payments } = given;
    const { product } = await stripe.prices.retrieve('price_tier1_monthly');
    const former = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 1_900,
      recurring: { interval: 'month' },
      product: String(product),
    });
    const customer = await given.customer('u-1');
    await given.saveCard(customer);
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: former.id }],
      metadata: { user_id: 'u-1' },
    });
    expect((await payments.subscription(id))?.subscription).toMatchObject({ tier: 'tier1', price: 1_900 });
    const other = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 700,
      recurring: { interval: 'month' },
      product_data: { name: 'Newsletter' },
    });
    const foreign = await stripe.subscriptions.create({ customer, items: [{ price: other.id }] });
    expect((await payments.subscription(foreign.id))?.subscription).toMatchObject({ tier: null, price: 700 });
    expect((await payments.subscriptionsOf(customer)).map(({ subscription }) => subscription.subscriptionId)).toEqual([
      foreign.id,
      id,
    ]);
  });
});
