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
import { ownerOfProviderIds } from '../../../src/projections/billing.ts';
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
    expect(await books()).toEqual({ payments: 3, differences: [] });
  });
});

describe('the provider’s books', () => {
  it('are compared payment by payment, by user and in sum; differences are reported and not changed', async () => {
    await open();
    const { userId } = await app.signUp();
    const customerId = await given.customer(userId);
    await given.buy(userId, customerId);
    await settled();
    expect(await books()).toEqual({ payments: 1, differences: [] });
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
