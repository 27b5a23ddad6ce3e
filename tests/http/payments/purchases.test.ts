/** Buying reports: the real adapter on the payment sandbox, with the browser's part. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../given/product/http.ts';
import { openShop, type Shop } from '../../given/product/shop.ts';

let shop: Shop;
let user: TestUser;
beforeEach(async () => {
  shop = await openShop();
  user = await shop.signUp();
});
afterEach(() => shop.close());

const PRICE = 'price_report';
const get = (path: string) => user.call('GET', `/api/v1/auth/${path}`);
const begin = (wish: object = {}) =>
  user.call('POST', '/api/v1/auth/create-checkout-session', {
    priceId: PRICE,
    quantity: 1,
    billingEmail: 'bills@example.com',
    ...wish,
  });
const verify = (paymentIntentId: string, by: TestUser = user) =>
  by.call('POST', '/api/v1/auth/verify-payment-and-add-credits', { paymentIntentId });
const validate = (code: unknown) => shop.call('POST', '/api/v1/auth/validate-discount', { body: { code } });
const billing = async () =>
  (await shop.newEvents()).filter(({ stream }) => stream.startsWith('billing-')).map(({ type }) => type);
const funds = async () => (await get('profile')).body.profile.funds;

describe('the browser’s settings', () => {
  it('are sent', async () => {
    expect((await get('stripe-config')).body).toEqual({
      success: true,
      data: {
        publishable_key: shop.provider.payments.publishableKey,
        mode: 'sandbox',
        sandbox_url: shop.provider.sandbox.url,
      },
    });
    expect((await get('stripe-price-info')).body).toEqual({
      success: true,
      price: { id: PRICE, unit_amount: 5_000, currency: 'usd' },
    });
    expect((await shop.call('GET', '/api/v1/status')).body.data.payments).toBe('sandbox');
  });

  it('include what the provider knows of this customer only', async () => {
    expect((await get('customer-info')).body.customer).toEqual({ name: null, email: user.email, address: null });
    await shop.provider.confirm((await begin()).body.clientSecret);
    expect((await get('customer-info')).body.customer).toMatchObject({
      name: 'Ada Lovelace',
      address: { line1: '1 Main Street', country: 'US' },
    });
    const address = { line1: '1 Main Street', city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' };
    await shop.provider.stripe.customers.update(await shop.customerOf(user), { name: 'Ada Lovelace', address });
    expect((await get('customer-info')).body.customer).toMatchObject({
      name: 'Ada Lovelace',
      address: { ...address, line2: null },
    });
    const other = await shop.signUp();
    expect((await other.call('GET', '/api/v1/auth/customer-info')).text).not.toContain('Lovelace');
  });

  it('include the user’s saved cards', async () => {
    const { status, body } = await user.call('POST', '/api/v1/auth/customer-session');
    expect(status).toBe(200);
    expect(await shop.provider.savedCards(body.clientSecret)).toEqual([]);
    await shop.provider.confirm((await begin({ savePaymentMethod: true })).body.clientSecret);
    expect(await shop.provider.savedCards(body.clientSecret)).toMatchObject([{ card: { last4: '4242' } }]);
    expect(shop.logLines.join('')).not.toContain(body.clientSecret);
    expect((await shop.call('POST', '/api/v1/auth/customer-session')).status).toBe(401);
  });

  it('are closed to API keys', async () => {
    await shop.given(`account-${user.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: user.userId, reason: 'configured' },
    });
    const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'write' })).body;
    for (const path of [
      '/auth/stripe-config',
      '/auth/subscription/history',
      '/subscription/status',
      '/subscription/tiers',
    ])
      expect((await shop.call('GET', `/api/v1${path}`, { token: key })).body).toMatchObject({
        code: 'SESSION_REQUIRED',
      });
  });
});

describe('a promotion code', () => {
  it('shows its discount', async () => {
    await shop.coupon('LAUNCH', { percent_off: 12.5 });
    await shop.coupon('TEN', { amount_off: 1_000, currency: 'usd' });
    expect((await validate(' launch ')).body).toMatchObject({
      success: true,
      valid: true,
      code: 'LAUNCH',
      percentOff: 12.5,
      amountOff: null,
      remainingRedemptions: null,
    });
    expect((await validate('TEN')).body).toMatchObject({
      valid: true,
      percentOff: null,
      amountOff: 1_000,
      currency: 'usd',
    });
  });

  it('that cannot be used is answered alike, whatever the reason', async () => {
    await shop.coupon('OLD', { percent_off: 10 }, { active: false });
    await shop.coupon('EURO', { amount_off: 1_000, currency: 'eur' });
    await shop.coupon('MINE', { percent_off: 90 }, { customer: await shop.customerOf(await shop.signUp()) });
    for (const code of ['OLD', 'EURO', 'MINE', 'NEVER'])
      expect((await validate(code)).body).toEqual({ success: true, valid: false, error: 'Invalid discount code' });
    for (const code of ['', '  ', 7, 'x'.repeat(101)]) expect((await validate(code)).status).toBe(400);
  });

  describe('with a limited number of uses', () => {
    const limited = (max: number, code = 'FEW') => shop.coupon(code, { percent_off: 10 }, { max_redemptions: max });
    const left = async (code = 'FEW') => {
      const { valid, maxRedemptions, remainingRedemptions } = (await validate(code)).body;
      return valid ? [maxRedemptions, remainingRedemptions] : 'invalid';
    };
    const beginAs = (by: TestUser, code = 'FEW') =>
      by.call('POST', '/api/v1/auth/create-checkout-session', {
        priceId: PRICE,
        quantity: 1,
        billingEmail: 'bills@example.com',
        discountCode: code,
      });
    const planAs = (by: TestUser) =>
      by.call('POST', '/api/v1/subscription/create-checkout', {
        tier: 'tier1',
        successUrl: '/account',
        cancelUrl: '/account',
        promotionCode: 'FEW',
      });
    const codes = async () =>
      (await shop.newEvents())
        .filter(({ stream }) => stream.startsWith('code-'))
        .map(({ type, data }) => ({ type, data }));
    const buy = async (by: TestUser) => {
      const { clientSecret, paymentIntentId } = (await beginAs(by)).body;
      await shop.provider.confirm(clientSecret);
      expect((await verify(paymentIntentId, by)).status).toBe(200);
    };

    it('shows what is left, and is used up by payments for reports', async () => {
      await limited(2);
      expect(await left()).toEqual([2, 2]);
      await buy(user);
      expect(await left()).toEqual([2, 1]);
      await buy(user);
      expect(await left()).toBe('invalid');
      expect((await beginAs(user)).body).toMatchObject({
        code: 'DISCOUNT_INVALID',
        error: 'This code has no uses left.',
      });
      expect((await planAs(user)).body.code).toBe('DISCOUNT_INVALID');
    });

    it('counts the uses for plans as the provider does', async () => {
      await limited(3);
      const other = await shop.signUp();
      const { id: promotion_code } = (await shop.provider.stripe.promotionCodes.list({ code: 'FEW' })).data[0]!;
      const customer = await shop.customerOf(other);
      await shop.provider.saveCard(customer);
      await shop.provider.stripe.subscriptions.create({
        customer,
        items: [{ price: 'price_tier1_monthly' }],
        discounts: [{ promotion_code }],
      });
      expect(await left()).toEqual([3, 2]);
      await buy(user);
      expect(await left()).toEqual([3, 1]);
    });

    it('gives its last use to one of twenty checkouts at once; the others are told before they pay', async () => {
      await limited(1);
      const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.signUp()));
      const answers = await Promise.all(buyers.map((buyer) => beginAs(buyer)));
      const refused = answers.filter(({ body }) => body.code === 'DISCOUNT_INVALID');
      expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([1, 19]);
      const begun = (await codes()).filter(({ type }) => type === 'CodeUseReserved');
      expect(begun).toHaveLength(1);
    });

    it('is free again when the checkout is left, fails, or is forgotten for half an hour', async () => {
      await limited(1);
      const other = await shop.signUp();
      const { paymentIntentId } = (await beginAs(user)).body;
      expect((await beginAs(other)).status).toBe(400);
      const leave = (by: TestUser, id = paymentIntentId) =>
        by.call('POST', '/api/v1/auth/leave-purchase', { paymentIntentId: id });
      expect((await leave(other)).body.code).toBe('PAYMENT_NOT_FOUND');
      expect((await leave(user, 'pi_nothing')).body.code).toBe('PAYMENT_NOT_FOUND');
      for (let nth = 0; nth < 2; nth += 1) expect((await leave(user)).status).toBe(200);
      expect((await shop.provider.stripe.paymentIntents.retrieve(paymentIntentId)).status).toBe('canceled');
      await shop.breakDown('POST /v1/payment_intents');
      expect((await beginAs(other)).status).toBe(503);
      await shop.mend();
      expect((await beginAs(other)).status).toBe(200);
      shop.advance(30 * 60_000);
      expect((await beginAs(user)).status).toBe(200);
      expect((await codes()).map(({ type, data }) => [type, (data as { reason?: string }).reason])).toEqual([
        ['CodeUseReserved', undefined],
        ['CodeUseStarted', undefined],
        ['CodeUseReleased', 'left'],
        ['CodeUseReserved', undefined],
        ['CodeUseReleased', 'failed'],
        ['CodeUseReserved', undefined],
        ['CodeUseStarted', undefined],
        ['CodeUseReleased', 'left'],
        ['CodeUseReserved', undefined],
        ['CodeUseStarted', undefined],
      ]);
    });

    it('is for plans, too, once a checkout for reports has been forgotten for half an hour', async () => {
      await limited(1);
      const other = await shop.signUp();
      expect((await beginAs(user)).status).toBe(200);
      expect((await planAs(other)).body.code).toBe('DISCOUNT_INVALID');
      shop.advance(30 * 60_000);
      expect((await planAs(other)).status).toBe(200);
    });

    it('stays with its buyer, who begins again with another quantity', async () => {
      await limited(1);
      const { clientSecret: first } = (await beginAs(user)).body;
      expect(await left()).toEqual([1, 1]);
      const { clientSecret: second } = (await beginAs(user)).body;
      expect((await beginAs(await shop.signUp())).body.code).toBe('DISCOUNT_INVALID');
      expect((await shop.provider.confirm(first)).status).toBe(400);
      await shop.provider.confirm(second);
    });

    it('is paid for once, however many checkouts its buyer opens', async () => {
      await limited(1);
      const begun = [];
      for (let nth = 0; nth < 5; nth += 1) begun.push((await beginAs(user)).body);
      const atOnce = await Promise.all(Array.from({ length: 5 }, () => beginAs(user)));
      begun.push(...atOnce.filter(({ status }) => status === 200).map(({ body }) => body));
      expect(atOnce.filter(({ status }) => status !== 200).every(({ body }) => body.code === 'DISCOUNT_INVALID')).toBe(
        true,
      );
      let paid = 0;
      for (const { clientSecret, paymentIntentId } of begun) {
        await shop.provider.confirm(clientSecret);
        if ((await verify(paymentIntentId)).status === 200) paid += 1;
      }
      expect(paid).toBe(1);
      expect(await funds()).toBe(5_000);
    });

    it('cannot be paid for any more once it went to somebody else', async () => {
      await limited(1);
      const { clientSecret, paymentIntentId } = (await beginAs(user)).body;
      shop.advance(31 * 60_000);
      const other = await shop.signUp();
      await buy(other);
      expect((await shop.provider.confirm(clientSecret)).status).toBe(400);
      expect((await verify(paymentIntentId)).body.code).toBe('PAYMENT_NOT_SUCCEEDED');
      expect(await left()).toBe('invalid');
    });

    it('goes to nobody else when a forgotten checkout was paid for after all', async () => {
      await limited(1);
      const { clientSecret, paymentIntentId } = (await beginAs(user)).body;
      shop.advance(31 * 60_000);
      await shop.provider.confirm(clientSecret);
      // The provider has told nobody yet.
      expect((await beginAs(await shop.signUp())).body.code).toBe('DISCOUNT_INVALID');
      expect((await verify(paymentIntentId)).body.already_processed).toBe(true);
      const used = (await codes()).filter(({ type }) => type === 'CodeUsed').map(({ data }) => data);
      expect(used).toMatchObject([{ userId: user.userId, paymentIntentId }]);
      expect(used[0]).not.toHaveProperty('afterRelease');
    });

    it('is free again when the provider canceled the payment, or has forgotten it', async () => {
      await limited(1);
      for (let nth = 0; nth < 2; nth += 1) {
        const { paymentIntentId } = (await beginAs(user)).body;
        await shop.provider.stripe.paymentIntents.cancel(paymentIntentId);
      }
      expect((await beginAs(user)).status).toBe(200);
    });

    it('of a checkout that a former version opened is honored, also when it comes after all', async () => {
      await limited(1);
      const { clientSecret, paymentIntentId } = (await beginAs(user)).body;
      const [{ data: reserved } = { data: {} }] = (await codes()).filter(({ type }) => type === 'CodeUseReserved');
      const { codeId, useId } = reserved as { readonly codeId: string; readonly useId: string };
      const releasedAt = shop.deps.now();
      await shop.given(`code-${codeId}`, {
        type: 'CodeUseReleased',
        data: { codeId, useId, reason: 'expired', releasedAt },
      });
      await buy(await shop.signUp());
      await shop.provider.confirm(clientSecret);
      for (let nth = 0; nth < 2; nth += 1) expect((await verify(paymentIntentId)).body.funds_added).toBe(5_000);
      const used = (await codes()).filter(({ type }) => type === 'CodeUsed').map(({ data }) => data);
      expect(used[1]).toMatchObject({ userId: user.userId, code: 'FEW', afterRelease: true, paymentIntentId });
    });

    it('shares the uses of its discount with the other codes of it', async () => {
      const { stripe } = shop.provider;
      await stripe.coupons.create({ id: '25% off', percent_off: 25, duration: 'once', max_redemptions: 1 });
      for (const code of ['ONE', 'TWO'])
        await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: '25% off' }, code });
      expect([await left('ONE'), await left('TWO')]).toEqual([
        [1, 1],
        [1, 1],
      ]);
      expect((await beginAs(user, 'ONE')).status).toBe(200);
      expect((await beginAs(await shop.signUp(), 'TWO')).body.code).toBe('DISCOUNT_INVALID');
    });
  });

  it('can be tried twenty times in ten minutes', async () => {
    for (let nth = 0; nth < 20; nth += 1) expect((await validate('NEVER')).status).toBe(200);
    expect((await validate('NEVER')).body.code).toBe('RATE_LIMITED');
  });
});

describe('a purchase', () => {
  it('with a code costs what the server says, and adds its face value once', async () => {
    await shop.coupon('LAUNCH', { percent_off: 15 });
    const begun = await begin({ quantity: 3, discountCode: 'launch', savePaymentMethod: true });
    expect(begun.body).toMatchObject({
      success: true,
      amount: 12_750,
      funds: 15_000,
      currency: 'usd',
      clientSecret: expect.stringContaining('_secret_'),
    });
    const { paymentIntentId, clientSecret } = begun.body;
    expect((await verify(paymentIntentId)).body).toMatchObject({ code: 'PAYMENT_NOT_SUCCEEDED' });
    expect((await shop.provider.confirm(clientSecret)).status).toBe(200);
    await shop.newEvents();
    expect((await verify(paymentIntentId)).body).toEqual({
      success: true,
      already_processed: false,
      message: 'Payment received: $150.00 was added to your funds.',
      funds_added: 15_000,
      funds_added_formatted: '$150.00',
      current_balance_formatted: '$150.00',
    });
    expect((await verify(paymentIntentId)).body).toMatchObject({
      success: true,
      already_processed: true,
      message: 'Payment received: $150.00 was added to your funds.',
      funds_added: 15_000,
      current_balance_formatted: '$150.00',
    });
    expect([await billing(), await funds()]).toEqual([['FundsAdded'], 15_000]);
    const [row] = (await get('subscription/history')).body.data.transactions;
    expect(row).toMatchObject({
      description: '3 reports',
      amount: 12_750,
      balance_after: 15_000,
      reason: 'Code LAUNCH',
      stripe_payment_id: paymentIntentId,
    });
    expect(shop.logLines.join('')).not.toContain(clientSecret);
  });

  it.each([
    [1, 3_333, null, 3_333, 3_333],
    [1, 3_333, { percent_off: 12.5 }, 2_916, 3_333],
    [2, 5_000, { amount_off: 1_000, currency: 'usd' }, 8_000, 10_000],
    [1, 5_000, { percent_off: 100 }, 50, 5_000],
    [20, 5_000, { amount_off: 6_000, currency: 'usd' }, 50, 100_000],
  ])('of %i at %i with %o costs %i', async (quantity, unitAmount, off, amount, added) => {
    const price = { priceId: 'price_of_the_test', amount: unitAmount, currency: 'usd' };
    const { payments } = shop.provider;
    const priced = await openShop({
      deps: { payments: { ...payments, catalogue: async () => ({ ...(await payments.catalogue()), report: price }) } },
    });
    try {
      if (off) await shop.coupon('CODE', off);
      const buyer = await priced.signUp();
      const wish = {
        priceId: price.priceId,
        quantity,
        discountCode: off ? 'CODE' : null,
        billingEmail: 'bills@example.com',
      };
      const { body } = await buyer.call('POST', '/api/v1/auth/create-checkout-session', wish);
      expect(body).toMatchObject({ amount, funds: added });
      expect(await payments.payment(body.paymentIntentId)).toMatchObject({
        amount,
        agreed: { funds: added, quantity },
        userId: buyer.userId,
      });
    } finally {
      await priced.close();
    }
  });

  it('with an empty code costs the full price', async () => {
    for (const discountCode of ['', '  '])
      expect((await begin({ discountCode })).body).toMatchObject({ success: true, amount: 5_000 });
  });

  it('is refused in a currency other than that of the funds', async () => {
    const { payments } = shop.provider;
    const inEuro = { priceId: PRICE, amount: 4_500, currency: 'eur' };
    const other = await openShop({
      deps: { payments: { ...payments, catalogue: async () => ({ ...(await payments.catalogue()), report: inEuro }) } },
    });
    try {
      const { call, userId } = await other.signUp();
      const amounts = { quantity: 1, amount: 5_000, currency: 'usd', funds: 5_000, balance: 5_000 };
      await other.given(`billing-${userId}`, {
        type: 'FundsAdded',
        data: { userId, paymentIntentId: 'pi_1', ...amounts, addedAt: '2026-03-10T12:00:00.000Z' },
      });
      const { status, body } = await call('POST', '/api/v1/auth/create-checkout-session', {
        priceId: PRICE,
        quantity: 1,
        billingEmail: 'bills@example.com',
      });
      expect([status, body]).toMatchObject([
        409,
        { code: 'CURRENCY_MISMATCH', error: 'Your funds are in USD, so nothing can be added in EUR.' },
      ]);
    } finally {
      await other.close();
    }
  });

  it('with a declined card, then another, is one purchase', async () => {
    const { paymentIntentId, clientSecret } = (await begin()).body;
    expect(await shop.provider.confirm(clientSecret, '4000000000000002')).toMatchObject({ status: 402 });
    expect((await verify(paymentIntentId)).body).toMatchObject({
      code: 'PAYMENT_NOT_SUCCEEDED',
      reason: 'open',
      error: 'This payment has not gone through.',
    });
    await shop.provider.confirm(clientSecret);
    expect((await verify(paymentIntentId)).body.funds_added).toBe(5_000);
  });

  it('counts once the bank has approved it, and not before', async () => {
    const { paymentIntentId, clientSecret } = (await begin()).body;
    await shop.provider.confirm(clientSecret, '4000002500003155');
    expect((await verify(paymentIntentId)).status).toBe(409);
    await shop.provider.sandbox.control('challenges', { intent: paymentIntentId, outcome: 'succeed' });
    expect((await verify(paymentIntentId)).body).toMatchObject({ already_processed: false, funds_added: 5_000 });
  });

  it('in process is added when it succeeds', async () => {
    const { paymentIntentId, clientSecret } = (await begin()).body;
    await shop.provider.confirm(clientSecret, '4000000000001000');
    expect((await verify(paymentIntentId)).body).toMatchObject({
      code: 'PAYMENT_NOT_SUCCEEDED',
      reason: 'processing',
      error: 'Your payment is being processed. It will be added to your funds when it arrives.',
    });
    await shop.provider.sandbox.control('payments', { payment_intent: paymentIntentId, outcome: 'succeed' });
    expect((await verify(paymentIntentId)).body.funds_added).toBe(5_000);
  });

  it('is visible to its buyer only, and no invoice counts as one', async () => {
    const { paymentIntentId, clientSecret } = (await begin()).body;
    await shop.provider.confirm(clientSecret);
    const other = await shop.signUp();
    expect((await verify(paymentIntentId, other)).body).toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
    await shop.provider.subscribe(user.userId, await shop.customerOf(user), 'tier1');
    const { data } = await shop.provider.stripe.paymentIntents.list({
      customer: await shop.customerOf(user),
      limit: 10,
    });
    const invoiced = data.find(({ id }) => id !== paymentIntentId)?.id ?? '';
    for (const id of [invoiced, 'pi_nothing'])
      expect((await verify(id)).body).toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
    expect([await funds(), (await verify(paymentIntentId)).status]).toEqual([0, 200]);
  });

  it('reported at the same time from two windows is added once', async () => {
    const { paymentIntentId, clientSecret } = (await begin({ quantity: 2 })).body;
    await shop.provider.confirm(clientSecret);
    const answers = await Promise.all([1, 2, 3, 4].map(() => verify(paymentIntentId)));
    expect(answers.map(({ body }) => body.funds_added)).toEqual([10_000, 10_000, 10_000, 10_000]);
    expect(answers.filter(({ body }) => body.already_processed === false)).toHaveLength(1);
    expect(await funds()).toBe(10_000);
  });

  it('ignores an amount of the browser', async () => {
    expect((await begin({ amount: 1, userId: 'another' })).body.amount).toBe((await begin({})).body.amount);
  });

  it('is refused for invalid quantities', async () => {
    for (const quantity of [0, 21, 1.5, '3', -1]) expect((await begin({ quantity })).status).toBe(400);
    for (const wish of [{ billingEmail: 'nobody' }, { billingEmail: undefined }])
      expect((await begin(wish)).status).toBe(400);
    expect((await begin({ priceId: 'price_tier1_monthly' })).body).toMatchObject({ code: 'PRICE_UNKNOWN' });
    expect((await begin({ discountCode: 'NEVER' })).body).toMatchObject({
      code: 'DISCOUNT_INVALID',
      error: 'Invalid discount code',
    });
    expect((await shop.provider.stripe.paymentIntents.list({ limit: 10 })).data).toEqual([]);
  });
});

describe('a customer at the provider', () => {
  it('exists from the sign-up on, once', async () => {
    const answer = await shop.call('POST', '/api/v1/auth/signup-first', {
      body: { email: 'ada@example.com', password: 'a good password', name: 'Ada' },
    });
    const customerId = answer.body.stripe_customer_id;
    expect(customerId).toMatch(/^cus_/);
    expect((await shop.newEvents()).filter(({ type }) => type === 'CustomerLinked').at(-1)?.data).toMatchObject({
      customerId,
      mode: 'sandbox',
    });
  });

  it('that could not be created at the sign-up is created with the first purchase', async () => {
    await shop.breakDown('/v1/customers');
    const late = await shop.call('POST', '/api/v1/auth/signup-first', {
      body: { email: 'late@example.com', password: 'a good password' },
    });
    expect([late.status, late.body.stripe_customer_id]).toEqual([201, null]);
    const wish = { priceId: PRICE, quantity: 1, billingEmail: 'late@example.com' };
    const buy = () => shop.call('POST', '/api/v1/auth/create-checkout-session', { token: late.body.token, body: wish });
    expect((await buy()).body).toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
    await shop.mend();
    expect((await buy()).status).toBe(200);
    expect((await shop.provider.stripe.customers.list({ email: 'late@example.com' })).data).toHaveLength(1);
  });

  it('that the provider has lost is created again', async () => {
    const first = await shop.customerOf(user);
    await shop.provider.stripe.customers.del(first);
    expect((await get('customer-info')).body.customer).toBeNull();
    expect((await begin()).status).toBe(200);
    expect(await shop.customerOf(user)).not.toBe(first);
  });
});

describe('when the provider is down', () => {
  it('nothing is left half done, at any step', async () => {
    const { paymentIntentId, clientSecret } = (await begin()).body;
    await shop.provider.confirm(clientSecret);
    await shop.newEvents();
    for (const match of ['/v1/customers', '/v1/payment_intents', '']) {
      await shop.breakDown(match);
      expect([match, (await begin()).body]).toEqual([
        match,
        expect.objectContaining({ success: false, code: 'PAYMENTS_UNAVAILABLE' }),
      ]);
    }
    for (const answer of [await get('customer-info'), await validate('CODE'), await verify(paymentIntentId)]) {
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'PAYMENTS_UNAVAILABLE',
        '5',
      ]);
    }
    expect(await billing()).toEqual([]);
    await shop.mend();
    expect((await verify(paymentIntentId)).body.funds_added).toBe(5_000);
  });
});
