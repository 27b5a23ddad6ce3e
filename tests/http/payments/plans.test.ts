/** Plans: bought, changed, ended and resumed, on the payment sandbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordPayment } from '../../../src/commands/billing/recordPayment.ts';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import { createForgottenCustomers } from '../../../src/work/followers/forgottenCustomers.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import type { TestUser } from '../../given/product/http.ts';
import { openShop, type Shop } from '../../given/product/shop.ts';
import { followLog } from '../../given/work/following.ts';

let shop: Shop;
let user: TestUser;
beforeEach(async () => {
  shop = await openShop();
  user = await shop.signUp();
});
afterEach(() => shop.close());

const post = (path: string, body?: object, by: TestUser = user) =>
  by.call('POST', `/api/v1/subscription/${path}`, body);
const status = async () => (await user.call('GET', '/api/v1/subscription/status')).body.data;
const history = async () => (await user.call('GET', '/api/v1/auth/subscription/history')).body.data.transactions;
const words = async () => (await history()).map(({ description }: { description: string }) => description);
const URLS = {
  successUrl: '/account/subscription-success?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: '/account/upgrade',
};
const checkout = (wish: object = {}) => post('create-checkout', { tier: 'tier2', ...URLS, ...wish });
const change = (newTier: string, currentTier: string, isUpgrade: boolean) =>
  post('update-plan', { newTier, currentTier, isUpgrade });
const billing = async () =>
  (await shop.newEvents()).filter(({ stream }) => stream.startsWith('billing-')).map(({ type }) => type);
const subscriptions = async () =>
  (await shop.provider.stripe.subscriptions.list({ customer: await shop.customerOf(user), status: 'all' })).data;

/** Through the provider's page, then reported by the page it returns to. */
async function subscribed(tier = 'tier2'): Promise<void> {
  const { url } = (await checkout({ tier })).body;
  expect((await shop.payAt(url)).status).toBe(303);
  expect((await post('sync')).status).toBe(200);
  await shop.newEvents();
}

/** A user who returns after weeks logs in again. */
async function later(days: number): Promise<void> {
  await shop.pass(days);
  const { token } = (
    await shop.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })
  ).body;
  user = { ...user, token, call: (method, path, body) => shop.call(method, path, { token, body }) };
}

describe('the plans', () => {
  it('are five, with the provider’s prices', async () => {
    const { data } = (await user.call('GET', '/api/v1/subscription/tiers')).body;
    expect(
      data.map((plan: Record<string, unknown>) => [
        plan.key,
        plan.name,
        plan.price,
        plan.unit_amount,
        plan.domainsPerMonth,
        plan.actionItemsLimit,
      ]),
    ).toEqual([
      ['free', 'Free', 0, 0, 3, 8],
      ['tier1', 'Basic', 29, 2_900, 1, 100],
      ['tier2', 'Professional', 79, 7_900, 3, 100],
      ['tier3', 'Business', 199, 19_900, 10, 100],
      ['tier4', 'Power', 499, 49_900, 50, 100],
    ]);
    expect(data[2]).toMatchObject({
      currency: 'usd',
      interval: 'month',
      highlighted: true,
      features: ['email_support'],
      on_request: [],
    });
    expect(data[4].on_request).toEqual(['premium_support', 'client_portal', 'beta_access', 'white_label']);
  });
});

describe('a first plan', () => {
  it('is paid on the provider’s page, which returns here', async () => {
    const answer = (await checkout()).body;
    expect(answer).toEqual({ success: true, url: answer.data.url, data: { url: expect.stringMatching(/^http/) } });
    const paid = await shop.payAt(answer.url);
    expect(paid.location).toMatch(new RegExp(`^${shop.url}/account/subscription-success\\?session_id=cs_`));
    // Returning proves nothing: the provider is asked.
    expect((await status()).subscription.tier).toBe('free');
    expect((await post('sync')).body).toEqual({ success: true, data: { synced_at: shop.deps.now() } });
    expect(await status()).toMatchObject({
      subscription: { tier: 'tier2', status: 'active', hasFullAccess: true, syncWarning: null, syncError: null },
      usage: { used: 0, limit: 3 },
    });
    expect((await history())[0]).toMatchObject({
      description: 'Professional plan',
      amount: 7_900,
      stripe_payment_id: expect.stringMatching(/^pi_/),
    });
    expect((await user.call('GET', '/api/v1/auth/profile')).body.profile.plan).toBe('tier2');
    expect(shop.logLines.join('')).not.toContain(answer.url);
  });

  it('accepts a promotion code, and refuses an unknown one', async () => {
    await shop.coupon('HALF', { percent_off: 50 });
    const { url } = (await checkout({ promotionCode: ' half ' })).body;
    await shop.payAt(url);
    await post('sync');
    expect((await history())[0]).toMatchObject({ amount: 3_950, metadata: { monthly_price: 7_900 } });
    const other = await shop.signUp();
    const refused = await post('create-checkout', { tier: 'tier1', ...URLS, promotionCode: 'NEVER' }, other);
    expect(refused).toMatchObject({ status: 400, body: { error: 'Invalid discount code', code: 'DISCOUNT_INVALID' } });
    expect((await post('create-checkout', { tier: 'tier1', ...URLS, promotionCode: '' }, other)).status).toBe(200);
  });

  it('accepts a code with conditions, which the provider checks', async () => {
    await shop.coupon('FIRST', { percent_off: 50 }, { restrictions: { first_time_transaction: true } });
    const { url } = (await checkout({ promotionCode: 'FIRST' })).body;
    await shop.payAt(url);
    await post('sync');
    expect((await history())[0]).toMatchObject({ amount: 3_950 });
    await post('cancel', { immediately: true });
    expect((await checkout({ promotionCode: 'FIRST' })).body).toMatchObject({ code: 'DISCOUNT_INVALID' });
  });

  it('is the only one, even before it was reported', async () => {
    await shop.payAt((await checkout()).body.url);
    expect((await checkout({ tier: 'tier3' })).body).toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    expect((await status()).subscription.tier).toBe('tier2');
  });

  it('waits for one on hold', async () => {
    // A trial without a card pauses when it ends.
    await shop.provider.stripe.subscriptions.create({
      customer: await shop.customerOf(user),
      items: [{ price: 'price_tier2_monthly' }],
      metadata: { user_id: user.userId },
      trial_period_days: 1,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    });
    expect((await post('sync')).status).toBe(200);
    await later(2);
    const error = 'Your Professional plan is on hold. Pay its open invoice or end it in the billing portal first.';
    expect((await checkout({ tier: 'tier3' })).body).toMatchObject({ code: 'SUBSCRIPTION_EXISTS', error });
  });

  it('returns only to addresses of this site', async () => {
    for (const address of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      `${shop.url}@evil.example/`,
      '/api/v1/auth/logout',
    ]) {
      for (const field of ['successUrl', 'cancelUrl'])
        expect([address, (await checkout({ [field]: address })).status]).toEqual([address, 400]);
      expect([address, (await post('customer-portal', { returnUrl: address })).status]).toEqual([address, 400]);
    }
    expect(
      (
        await checkout({
          successUrl: `${shop.url}/account/subscription-success`,
          cancelUrl: `${shop.url}/account/upgrade`,
        })
      ).status,
    ).toBe(200);
  });

  it('is one of four', async () => {
    for (const wish of [{ tier: 'free' }, { tier: 'tier5' }, { tier: 1 }])
      expect((await checkout(wish)).status).toBe(400);
  });
});

describe('a change of plan', () => {
  it('to a higher one is immediate, and its cost is in the history', async () => {
    await subscribed('tier1');
    const changed = await change('tier3', 'tier1', true);
    expect(changed.body).toMatchObject({
      success: true,
      data: { subscription: { tier: 'tier3', status: 'active', pendingTier: null } },
    });
    expect(await billing()).toEqual(['SubscriptionChanged']);
    expect((await history())[0]).toMatchObject({ description: 'Upgraded to Business', amount: 17_000 });
  });

  it('to a lower one waits for the end of the period, and can be undone', async () => {
    await subscribed('tier3');
    const end = '2026-04-10T12:00:00.000Z';
    expect((await change('tier1', 'tier3', false)).body.data.subscription).toMatchObject({
      tier: 'tier3',
      pendingTier: 'tier1',
      pendingAt: end,
    });
    expect((await post('reactivate', {})).body.data.subscription).toMatchObject({ tier: 'tier3', pendingTier: null });
    expect((await post('reactivate', {})).body).toMatchObject({ code: 'NOTHING_TO_REACTIVATE' });
    await change('tier2', 'tier3', false);
    await later(32);
    await post('sync');
    expect((await status()).subscription).toMatchObject({ tier: 'tier2', pendingTier: null });
    expect((await words()).slice(0, 2)).toEqual([
      'Professional plan renewed',
      'Changes to Professional on Apr 10, 2026',
    ]);
  });

  it('to a higher one cancels a scheduled change', async () => {
    await subscribed('tier2');
    await change('tier1', 'tier2', false);
    expect((await change('tier4', 'tier2', true)).body.data.subscription).toMatchObject({
      tier: 'tier4',
      pendingTier: null,
    });
  });

  it('says before an upgrade what it charges, which is what is charged then', async () => {
    const costOf = (newTier: string) => post('upgrade-cost', { newTier });
    expect((await costOf('tier3')).body).toMatchObject({ code: 'NO_SUBSCRIPTION' });
    await subscribed('tier1');
    await later(10);
    const { amount, currency } = (await costOf('tier3')).body.data;
    expect([amount > 0, amount < 19_900, currency]).toEqual([true, true, 'usd']);
    expect(await billing()).toEqual([]);
    expect((await change('tier3', 'tier1', true)).status).toBe(200);
    expect((await history())[0]).toMatchObject({ amount });
    expect((await costOf('free')).status).toBe(400);
  });

  it('is refused when the browser’s idea of the direction is wrong', async () => {
    await subscribed('tier2');
    expect((await change('tier3', 'tier1', true)).body).toMatchObject({ code: 'PLAN_CHANGED' });
    expect((await change('tier3', 'tier2', false)).body).toMatchObject({ code: 'PLAN_CHANGED' });
    expect((await change('tier2', 'tier2', true)).body).toMatchObject({ code: 'SAME_PLAN' });
    expect((await change('free', 'tier2', false)).body).toMatchObject({
      code: 'INVALID_INPUT',
      error: 'To go back to Free, cancel your plan',
    });
    const other = await shop.signUp();
    expect(
      (await post('update-plan', { newTier: 'tier2', currentTier: 'free', isUpgrade: true }, other)).body,
    ).toMatchObject({ code: 'NO_SUBSCRIPTION' });
    expect(await billing()).toEqual(['CustomerLinked']);
  });

  it('changes nothing when the card is declined', async () => {
    await subscribed('tier1');
    const [subscription] = await subscriptions();
    const card = await shop.provider.saveCard(await shop.customerOf(user), 'pm_card_chargeCustomerFail');
    await shop.provider.stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card });
    expect(await change('tier2', 'tier1', true)).toMatchObject({
      status: 402,
      body: { code: 'PAYMENT_FAILED', error: 'Your card was declined.' },
    });
    expect([(await status()).subscription.tier, await billing()]).toEqual(['tier1', []]);
  });
});

describe('the end of a plan', () => {
  it('at the end of its period keeps everything until then, and can be undone', async () => {
    await subscribed('tier2');
    const end = '2026-04-10T12:00:00.000Z';
    expect((await post('cancel', { immediately: false })).body).toEqual({
      success: true,
      data: { success: true, currentPeriodEnd: end, data: { currentPeriodEnd: end } },
    });
    expect((await status()).subscription).toMatchObject({
      tier: 'tier2',
      cancelAtPeriodEnd: true,
      currentPeriodEnd: end,
      hasFullAccess: true,
    });
    expect((await post('reactivate', { subscriptionId: 'any' })).body.data.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
    });
    await post('cancel', { immediately: false });
    await later(32);
    expect(await status()).toMatchObject({
      subscription: { tier: 'free', status: 'canceled' },
      balance: { plan: 'free', paysNext: 'free_allowance' },
    });
  });

  it('at once ends its rights, and another can be bought', async () => {
    await subscribed('tier2');
    const now = shop.deps.now();
    // Even if its end was scheduled before.
    await post('cancel', { immediately: false });
    expect((await post('cancel', { immediately: true })).body.data).toEqual({
      success: true,
      currentPeriodEnd: now,
      data: { currentPeriodEnd: now },
    });
    expect((await status()).subscription).toMatchObject({ tier: 'free', status: 'canceled' });
    for (const [path, body] of [
      ['cancel', { immediately: true }],
      ['reactivate', {}],
    ] as const)
      expect((await post(path, body)).body).toMatchObject({ code: 'NO_SUBSCRIPTION' });
    await subscribed('tier1');
    expect((await status()).subscription.tier).toBe('tier1');
  });
});

describe('the customer portal', () => {
  it('opens for a customer', async () => {
    const { url } = (await post('customer-portal', { returnUrl: '/account/upgrade' })).body;
    expect(await (await fetch(url)).text()).toContain('Billing');
  });

  it('is refused without a customer', async () => {
    await shop.breakDown('/v1/customers');
    const other = await shop.signUp();
    await shop.mend();
    expect((await post('customer-portal', { returnUrl: '/account/upgrade' }, other)).body).toMatchObject({
      code: 'NO_CUSTOMER',
    });
  });
});

describe('when the provider is down', () => {
  it('nothing changes, at any step', async () => {
    await subscribed('tier2');
    const ask = {
      'change up': () => change('tier3', 'tier2', true),
      'change down': () => change('tier1', 'tier2', false),
      cancel: () => post('cancel', { immediately: true }),
      reactivate: () => post('reactivate', {}),
      checkout: () => checkout(),
      portal: () => post('customer-portal', { returnUrl: '/account' }),
    };
    await shop.breakDown();
    for (const [name, asked] of Object.entries(ask)) {
      expect([name, await asked()]).toEqual([
        name,
        expect.objectContaining({ status: 503, body: expect.objectContaining({ code: 'PAYMENTS_UNAVAILABLE' }) }),
      ]);
    }
    expect(await billing()).toEqual([]);
    expect((await post('sync')).body).toMatchObject({
      code: 'PAYMENTS_UNAVAILABLE',
      error: 'Failed to sync with Stripe',
    });
    expect((await status()).subscription.syncError).toBe('Failed to sync with Stripe');
    await shop.mend();
    expect((await post('sync')).status).toBe(200);
    expect((await status()).subscription).toMatchObject({ tier: 'tier2', syncError: null });
    expect((await subscriptions()).map(({ status: state, cancel_at_period_end: ends }) => [state, ends])).toEqual([
      ['active', false],
    ]);
  });

  it('between a change and its answer, it is asked again, and the bill records the result', async () => {
    await subscribed('tier1');
    const { payments } = shop.provider;
    const upgrade = payments.upgrade.bind(payments);
    // The change is made, but its result cannot be read.
    Object.assign(payments, {
      upgrade: (of: Parameters<typeof upgrade>[0]) => upgrade(of).then(() => shop.breakDown()),
    });
    expect((await change('tier2', 'tier1', true)).status).toBe(503);
    expect((await status()).subscription.tier).toBe('tier1');
    await shop.mend();
    expect((await change('tier2', 'tier1', true)).body).toMatchObject({ code: 'PLAN_CHANGED' });
    expect((await status()).subscription.tier).toBe('tier2');
    expect((await shop.provider.stripe.invoices.list({ customer: await shop.customerOf(user) })).data).toHaveLength(2);
  });
});

describe('syncing', () => {
  it('is limited to six times a minute', async () => {
    for (let nth = 0; nth < 6; nth += 1) expect((await post('sync')).status).toBe(200);
    expect((await post('sync')).body.code).toBe('RATE_LIMITED');
  });
});

describe('the features of a plan', () => {
  it('include API keys and webhooks for the Power plan and for admins; a key waits while no plan allows it', async () => {
    const make = (by: TestUser = user) => by.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'read' });
    const hook = () =>
      user.call('POST', '/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] });
    for (const refused of [await make(), await hook()])
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'FEATURE_ACCESS_DENIED', error: 'Feature access denied' },
      });
    await subscribed('tier3');
    expect((await make()).status).toBe(403);
    await change('tier4', 'tier3', true);
    const { key } = (await make()).body;
    expect((await hook()).status).toBe(201);
    const byKey = async (token: string) => (await shop.call('GET', '/api/v1/jobs', { token })).body.code ?? 'ok';
    expect(await byKey(key)).toBe('ok');
    await post('cancel', { immediately: true });
    expect([(await make()).status, await byKey(key)]).toEqual([403, 'FEATURE_ACCESS_DENIED']);
    await subscribed('tier4');
    expect(await byKey(key)).toBe('ok');
    await post('cancel', { immediately: true });
    expect(await byKey(key)).toBe('FEATURE_ACCESS_DENIED');
    const { token } = (
      await shop.call('POST', '/api/v1/auth/login', {
        body: { email: 'admin@example.com', password: 'a good password' },
      })
    ).body;
    expect(
      (await shop.call('POST', '/api/v1/api-keys', { token, body: { name: 'A program', scope: 'read' } })).status,
    ).toBe(201);
  });

  it('do not include sharing an earlier preview in full: it must be unlocked first', async () => {
    const { jobId } = await givenAnalysis(shop, user.userId, { access: 'preview' });
    const share = () => user.call('POST', '/api/v1/share/create', { jobId, shareMode: 'full' });
    expect((await share()).body).toMatchObject({
      code: 'SHARING_RESTRICTED',
      error: 'Full access sharing is not part of the free plan.',
    });
    await subscribed('tier1');
    expect((await share()).body).toMatchObject({
      code: 'SHARING_RESTRICTED',
      error: 'Unlock this audit to share all of it.',
    });
  });

  it('include a place ahead of others for the Power plan', async () => {
    const submit = async () => (await user.call('POST', '/api/v1/process', { url: 'https://a.example/' })).status;
    expect(await submit()).toBeLessThan(300);
    await subscribed('tier4');
    await submit();
    const ranks = (await shop.store.readAll({ filter: { types: ['JobSubmitted'] } })).events.map(
      ({ data }) => (data as { rank?: number }).rank,
    );
    expect(ranks).toEqual([undefined, 1]);
    const { documents } = await shop.readModels.find<{ rank: number }>('workItems', {
      where: { kind: 'audit' },
      sort: [['dueAt', 'asc']],
      limit: 10,
    });
    expect(documents.map(({ data }) => data.rank).sort()).toEqual([0, 1]);
  });
});

describe('an account', () => {
  /** As the follower does after a deletion. */
  async function forgetCustomers(): Promise<void> {
    const { store, now, newId } = shop.deps;
    const context: ContextOf = (cause) =>
      contextOf({ store, now, commandId: newId(), actor: { kind: 'system', id: 'followers' } }, cause);
    await followLog(store, createForgottenCustomers({ context, payments: shop.provider.payments }));
  }

  it('shows before its deletion what ends with it, and exports its customer at the provider', async () => {
    await subscribed('tier2');
    const { data } = (await user.call('GET', '/api/v1/account/deletion')).body;
    expect(data).toMatchObject({
      subscription: { tier: 'tier2', current_period_end: '2026-04-10T12:00:00.000Z' },
      funds: null,
    });
    const { billing_events: events } = JSON.parse((await user.call('GET', '/api/v1/account/export')).text);
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'CustomerLinked',
      'SubscriptionStarted',
      'SubscriptionSynced',
    ]);
    expect(events[0]).toMatchObject({ customerId: await shop.customerOf(user), mode: 'sandbox' });
  });

  it('has no plan at the provider after its deletion', async () => {
    await subscribed('tier2');
    const [subscription] = await subscriptions();
    await shop.newEvents();
    expect(
      (await user.call('DELETE', '/api/v1/account', { password: user.password, confirmation: 'DELETE' })).status,
    ).toBe(200);
    expect((await shop.provider.stripe.subscriptions.retrieve(subscription?.id ?? '')).status).toBe('canceled');
    const types = (await shop.newEvents())
      .map(({ type }) => type)
      .filter((type) => type === 'SubscriptionEnded' || type === 'AccountDeleted');
    expect(types).toEqual(['SubscriptionEnded', 'AccountDeleted']);
  });

  it('can be deleted while the provider is down, and is not charged once it is back', async () => {
    await subscribed('tier2');
    const [subscription] = await subscriptions();
    await shop.breakDown();
    expect(
      (await user.call('DELETE', '/api/v1/account', { password: user.password, confirmation: 'DELETE' })).status,
    ).toBe(200);
    await shop.mend();
    const status = async () => (await shop.provider.stripe.subscriptions.retrieve(subscription?.id ?? '')).status;
    expect(await status()).toBe('active');
    await forgetCustomers();
    expect(await status()).toBe('canceled');
  });

  it('is not charged after its deletion, and the provider erases the customer; past payments stay in the bill', async () => {
    await subscribed('tier2');
    const customerId = await shop.customerOf(user);
    const [subscription] = await subscriptions();
    expect(
      (await user.call('DELETE', '/api/v1/account', { password: user.password, confirmation: 'DELETE' })).status,
    ).toBe(200);
    await forgetCustomers();
    expect((await shop.provider.stripe.subscriptions.retrieve(subscription?.id ?? '')).status).toBe('canceled');
    expect(await shop.provider.payments.customer(customerId)).toBeNull();
    const bill = await shop.deps.store.read(`billing-${user.userId}`);
    const kept = bill.status === 'found' ? bill.events : [];
    expect(kept.find(({ type }) => type === 'SubscriptionStarted')?.data).toMatchObject({
      paid: { amount: 7_900, invoiceId: expect.any(String) },
    });
    expect(JSON.stringify(kept.map(({ data }) => data))).not.toContain(user.email);
  });
});

describe('a late upgrade', () => {
  it('says how many audits the period has, and adds only the paid share', async () => {
    await subscribed('tier1');
    await later(15);
    const { data } = (await post('upgrade-cost', { newTier: 'tier4' })).body;
    const { body } = await change('tier4', 'tier1', true);
    expect(body.success).toBe(true);
    const { usage, subscription } = await status();
    expect(data).toMatchObject({ limit: usage.limit, used: 0, currency: 'usd' });
    expect(usage.limit).toBe(1 + Math.ceil((49 * 16) / 31));
    expect(subscription).toMatchObject({ tier: 'tier4', features: { domainsPerMonth: 50 } });
    await later(17);
    expect((await post('sync')).status).toBe(200);
    expect((await status()).usage.limit).toBe(50);
  });
});

describe('a plan on hold', () => {
  const adminUser = async (): Promise<TestUser> => {
    const { token } = (
      await shop.call('POST', '/api/v1/auth/login', {
        body: { email: 'admin@example.com', password: 'a good password' },
      })
    ).body;
    return { ...user, token, call: (method, path, body) => shop.call(method, path, { token, body }) };
  };
  const dispute = async () => {
    const [charge] = (await shop.provider.stripe.charges.list({ customer: await shop.customerOf(user) })).data;
    const payment = await shop.provider.payments.payment(String(charge?.payment_intent));
    const reported = { disputeId: 'dp_1', amount: payment?.amount ?? 0, status: 'open', at: shop.deps.now() } as const;
    const { store, deps } = shop;
    const worker = {
      store,
      now: deps.now,
      commandId: deps.newId(),
      actor: { kind: 'worker', id: 'payments' },
    } as const;
    if (payment) await recordPayment(contextOf(worker, null), { ...payment, disputes: [reported] });
    await shop.readModels.reached(['billing'], await shop.store.head(), 5_000);
  };

  it('pauses what it bought, can be canceled and not changed, and is resumed by an admin with a reason', async () => {
    await subscribed('tier4');
    const { key } = (await user.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'read' })).body;
    await dispute();
    expect(await status()).toMatchObject({
      subscription: { status: 'unpaid', holdReason: 'disputed', features: { actionItemsLimit: 8 } },
      usage: { limit: 3 },
      balance: { plan: 'free', paysNext: 'free_allowance' },
    });
    expect((await shop.call('GET', '/api/v1/jobs', { token: key })).body.code).toBe('FEATURE_ACCESS_DENIED');
    expect((await change('tier3', 'tier4', false)).body.code).toBe('PLAN_ON_HOLD');
    expect((await checkout({ tier: 'tier3' })).body.error).toBe(
      'Your Power plan is on hold because of a dispute or a refund. Cancel it before you choose another.',
    );
    expect((await post('customer-portal', { returnUrl: '/account' })).status).toBe(200);
    expect((await words()).slice(0, 2)).toEqual(['Plan on hold: its payment is disputed', 'Payment disputed']);

    const by = await adminUser();
    const path = `/api/v1/admin/users/${user.userId}/plan/resume`;
    expect((await by.call('POST', path, { reason: ' ' })).status).toBe(400);
    expect((await user.call('POST', path, { reason: 'Please' })).status).toBe(403);
    expect((await by.call('POST', '/api/v1/admin/users/nobody/plan/resume', { reason: 'x' })).status).toBe(404);
    expect((await by.call('POST', path, { reason: 'Settled by bank transfer' })).status).toBe(200);
    expect((await by.call('POST', path, { reason: 'Again' })).body.code).toBe('NOT_SUSPENDED');
    expect(await status()).toMatchObject({
      subscription: { status: 'active', holdReason: null },
      usage: { limit: 50 },
    });
    expect((await history())[0]).toMatchObject({
      description: 'Plan no longer on hold',
      reason: 'Settled by bank transfer',
    });
    expect((await shop.call('GET', '/api/v1/jobs', { token: key })).status).toBe(200);
    // The reason is in no event of the bill, which outlives the account.
    const bill = (await shop.newEvents()).filter(({ stream }) => stream === `billing-${user.userId}`);
    expect(JSON.stringify(bill)).not.toContain('bank transfer');
  });

  it('can be canceled at once', async () => {
    await subscribed('tier2');
    await dispute();
    expect((await post('cancel', { immediately: true })).status).toBe(200);
    expect(await status()).toMatchObject({ subscription: { tier: 'free', status: 'canceled', holdReason: null } });
  });
});

describe('a plan that is relaunched as a new product', () => {
  it('keeps its tier, says so, and is canceled at once like any other', async () => {
    await subscribed('tier3');
    await shop.provider.stripe.prices.create({
      currency: 'usd',
      unit_amount: 24_900,
      recurring: { interval: 'month' },
      product_data: { name: 'Business 2027' },
      lookup_key: 'tier3_monthly',
      transfer_lookup_key: true,
    });
    await later(1);
    expect((await post('sync')).status).toBe(200);
    expect(await status()).toMatchObject({
      subscription: { tier: 'tier3', status: 'active', syncWarning: expect.stringContaining('is unknown here') },
      usage: { limit: 10 },
    });
    expect((await post('cancel', { immediately: true })).body.success).toBe(true);
    expect(await status()).toMatchObject({ subscription: { tier: 'free', status: 'canceled', syncWarning: null } });
    expect((await subscriptions()).map(({ status: theirs }) => theirs)).toEqual(['canceled']);
  });

  it('ends when the test data at the provider are wiped', async () => {
    await subscribed('tier2');
    const wiped = Object.create(shop.provider.payments, {
      subscription: { value: async () => null },
      subscriptionsOf: { value: async () => [] },
    });
    Object.assign(shop.deps, { payments: wiped });
    expect((await post('sync')).status).toBe(200);
    expect(await status()).toMatchObject({ subscription: { tier: 'free', status: 'canceled' } });
  });

  it('stays, and says that the sync failed, when a live key does not know it', async () => {
    await subscribed('tier2');
    const { payments } = shop.provider;
    const { userId } = user;
    const stream = `billing-${userId}`;
    const linked = { userId, customerId: 'cus_live', mode: 'live', linkedAt: shop.deps.now() };
    await shop.given(stream, { type: 'CustomerLinked', data: linked });
    const another = Object.create(payments, {
      mode: { value: 'live' },
      subscription: { value: async () => null },
      subscriptionsOf: { value: async () => [] },
    });
    Object.assign(shop.deps, { payments: another });
    expect((await post('sync')).status).toBe(200);
    expect(await status()).toMatchObject({
      subscription: { tier: 'tier2', status: 'active', syncError: 'Failed to sync with Stripe' },
    });
  });
});
