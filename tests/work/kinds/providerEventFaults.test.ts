/**
 * The whole way from the provider to the bill, through HTTP, with webhooks that come twice, late, in another order or
 * not at all.
 */

import { afterEach, describe, expect, it } from 'vitest';
import { checkBooks } from '../../../src/commands/billing/checkBooks.ts';
import { recordPayment } from '../../../src/commands/billing/recordPayment.ts';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import type { Payments } from '../../../src/integrations/payments/payments.ts';
import { countUnknownPlans, listSoldProducts, ownerOfProviderIds } from '../../../src/projections/billing.ts';
import { listPending } from '../../../src/work/items.ts';
import { PROVIDER_EVENT, providerEventKind } from '../../../src/work/kinds/providerEvent.ts';
import { createMissedProviderEvents } from '../../../src/work/sweeps/missedProviderEvents.ts';
import { NOON } from '../../given/paymentSandbox.ts';
import { type GivenPayments, givenPayments, WEBHOOK_SECRET } from '../../given/payments.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { still } from '../../given/work/following.ts';
import { until } from '../../given/work/toyWork.ts';
import { startRunner, type TestRunner } from '../../given/work/work.ts';

let app: TestApp;
let given: GivenPayments;
let runner: TestRunner;
afterEach(async () => {
  await runner.stop();
  await app.close();
  await given.end();
});

const context: ContextOf = (cause) =>
  contextOf(
    { store: app.store, now: given.now, commandId: crypto.randomUUID(), actor: { kind: 'worker', id: 'payments' } },
    cause,
  );

async function open(): Promise<void> {
  const waiting: { payments: Payments | null; readonly now: () => string } = {
    payments: null,
    now: () => (waiting.payments ? given.now() : new Date(NOON).toISOString()),
  };
  // The sandbox needs the app's address, the app the sandbox's: the app starts first, and gets its provider a moment
  // later.
  const late = new Proxy({} as Payments, {
    get: (_, name) => Reflect.get(waiting.payments ?? { sandboxUrl: null }, name),
  });
  app = await startTestApp({ deps: { payments: late, now: waiting.now } });
  given = await givenPayments({
    sandbox: { webhooks: [{ url: `${app.url}/api/v1/stripe/webhook`, secret: WEBHOOK_SECRET }] },
  });
  waiting.payments = given.payments;
  const kind = providerEventKind(
    {
      context,
      now: given.now,
      payments: given.payments,
      ownerOf: (ids, asOf) => ownerOfProviderIds(app.readModels, ids, asOf),
    },
    { random: () => 0 },
  );
  runner = startRunner({ readModels: app.readModels, now: given.now }, [kind]);
}

async function settled(): Promise<void> {
  await given.sandbox.control('deliver', {});
  await until(async () => {
    await app.readModels.reached(['workItems'], await app.store.head(), 5_000);
    return (await listPending(app.readModels, PROVIDER_EVENT, 1)).documents.length === 0;
  });
}

const bill = async (userId: string) => (await loadState(app.store, billingDecider, billingStream(userId))).state;
const books = () => checkBooks(app.store, given.payments);
const sweep = () => createMissedProviderEvents({ context, payments: given.payments }).run(null, still);

describe('purchases and plans', () => {
  it.each([
    ['doubled', [{ effect: 'webhook_double', share: 1 }]],
    ['delayed', [{ effect: 'webhook_delay', share: 0.5, ms: 1 }]],
    ['shuffled', [{ effect: 'webhook_shuffle', share: 1 }]],
    ['lost', [{ effect: 'webhook_lose', share: 1 }]],
  ])('lead to the same bill with webhooks that are %s', async (_, faults) => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    await given.sandbox.faults(...faults);
    const first = await given.buy(userId, customerId, 3);
    const second = await given.buy(userId, customerId);
    await given.subscribe(userId, customerId, 'tier2');
    await given.stripe.refunds.create({ payment_intent: second, amount: 2_000 });
    // The browser's own request, while the webhooks come in.
    const paid = await given.payments.payment(first);
    if (paid) await recordPayment(context(null), paid);
    await settled();
    // Younger events may still be on their way.
    await given.sandbox.advance(1);
    await sweep();
    await settled();
    const { funds, subscriptions } = await bill(userId);
    expect(funds).toEqual({ amount: 18_000, currency: 'usd' });
    expect(subscriptions).toMatchObject([{ tier: 'tier2', status: 'active' }]);
    expect(await books()).toEqual({ payments: 3, plans: 1, differences: [] });
  });
});

describe('the provider’s books', () => {
  it('are compared payment by payment, by user and in sum; differences are reported and not changed', async () => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    await given.buy(userId, customerId);
    await settled();
    expect(await books()).toEqual({ payments: 1, plans: 0, differences: [] });
    await given.sandbox.faults({ effect: 'webhook_lose', share: 1 });
    const missed = await given.buy(userId, customerId, 2);
    const planted = {
      userId,
      paymentIntentId: 'pi_planted',
      amount: 700,
      currency: 'usd',
      funds: 700,
      balance: 5_700,
      quantity: 1,
      addedAt: given.now(),
    };
    await app.given(billingStream(userId), { type: 'FundsAdded', data: planted });
    const { differences } = await books();
    expect(differences).toEqual([
      `User ${userId}: kept $150.00 by the provider, $57.00 by the bill.`,
      '  pi_planted: the bill has $7.00 paid, the provider knows nothing of it.',
      `  ${missed}: the provider has $100.00 paid, the bill knows nothing of it.`,
      'All users: kept $150.00 by the provider, $57.00 by the bill.',
    ]);
    expect((await books()).differences).toEqual(differences);
  });
});

/** A relaunch: a new product takes over the lookup key of the plan, and its subscribers keep their former price. */
async function relaunch(tier: string): Promise<void> {
  await given.stripe.prices.create({
    currency: 'usd',
    unit_amount: 8_900,
    recurring: { interval: 'month' },
    product_data: { name: `${tier} 2027` },
    lookup_key: `${tier}_monthly`,
    transfer_lookup_key: true,
  });
}

describe('what the bill knows is ours', () => {
  it('a plan of a relaunched product is renewed, overdue and ended as at the provider, and keeps its tier', async () => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    const { id } = await given.subscribe(userId, customerId, 'tier3');
    await settled();
    const [before] = (await bill(userId)).subscriptions;
    expect(before).toMatchObject({ tier: 'tier3', isUnknownPlan: false });
    await relaunch('tier3');
    // The prices are read again after some minutes.
    await given.sandbox.advance(31);
    await settled();
    const [renewed] = (await bill(userId)).subscriptions;
    expect(renewed).toMatchObject({ tier: 'tier3', isUnknownPlan: true, price: 19_900, productId: before?.productId });
    expect(renewed?.periodStart).toBe(before?.periodEnd);
    expect(await listSoldProducts(app.readModels)).toEqual([before?.productId]);
    expect(await countUnknownPlans(app.readModels)).toBe(1);
    expect((await books()).differences).toEqual([
      `User ${userId}: kept $398.00 by the provider, $398.00 by the bill.`,
      `  ${id}: its product ${before?.productId} is none of the plans; the bill keeps Business.`,
      'All users: kept $398.00 by the provider, $398.00 by the bill.',
    ]);
    await given.stripe.subscriptions.cancel(id);
    await given.sandbox.advance(1);
    await sweep();
    await settled();
    expect((await bill(userId)).subscriptions).toMatchObject([{ tier: 'tier3', status: 'canceled' }]);
    await app.readModels.reached(['billing'], await app.store.head(), 5_000);
    expect(await countUnknownPlans(app.readModels)).toBe(0);
    expect((await books()).differences).toEqual([]);
  });

  it('another product’s subscription of the same customer leaves no trace', async () => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    await given.saveCard(customerId);
    const price = await given.stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'A newsletter' },
    });
    await given.stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: price.id }],
      metadata: { user_id: userId },
    });
    await settled();
    expect((await bill(userId)).subscriptions).toEqual([]);
    const ignored = (await app.newEvents()).filter(({ type }) => type === 'ProviderEventIgnored');
    expect(ignored.length).toBeGreaterThan(0);
    expect(new Set(ignored.map(({ data }) => (data as { reason: string }).reason))).toEqual(new Set(['not_ours']));
  });

  it('a payment or plan that lost its metadata is still recorded', async () => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    const paid = await given.buy(userId, customerId);
    const { id } = await given.subscribe(userId, customerId, 'tier2');
    await settled();
    await given.stripe.paymentIntents.update(paid, { metadata: { user_id: '', purpose: '' } });
    await given.stripe.subscriptions.update(id, { metadata: { user_id: '' } });
    await given.stripe.refunds.create({ payment_intent: paid });
    await given.stripe.subscriptions.cancel(id);
    await settled();
    const { funds, subscriptions } = await bill(userId);
    expect(funds.amount).toBe(0);
    expect(subscriptions).toMatchObject([{ status: 'canceled' }]);
    expect((await books()).differences).toEqual([]);
  });

  it('a disputed payment of a plan puts it on hold until the dispute is won', async () => {
    await open();
    const { userId, call } = await app.signUp();
    const customerId = await given.customer(userId);
    await given.subscribe(userId, customerId, 'tier4');
    await settled();
    const paidBy = (await given.stripe.charges.list({ customer: customerId })).data[0]?.payment_intent;
    const { id } = await given.sandbox.control<{ id: string }>('disputes', { payment_intent: String(paidBy) });
    await settled();
    const shown = async () => (await call('GET', '/api/v1/subscription/status')).body.data;
    await app.readModels.reached(['billing'], await app.store.head(), 5_000);
    expect(await shown()).toMatchObject({
      subscription: { tier: 'tier4', status: 'unpaid', holdReason: 'disputed', features: { actionItemsLimit: 8 } },
      balance: { plan: 'free' },
    });
    await given.sandbox.control('disputes/close', { dispute: id, outcome: 'won' });
    await settled();
    await app.readModels.reached(['billing'], await app.store.head(), 5_000);
    expect(await shown()).toMatchObject({
      subscription: { tier: 'tier4', status: 'active', holdReason: null },
      balance: { plan: 'tier4' },
    });
  });
});
