/** Events of the payment provider as work: in any order, and however often they come, the bill has each fact once. */

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { recordPayment } from '../../../src/commands/billing/recordPayment.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { EventSubject } from '../../../src/integrations/payments/payments.ts';
import { PROVIDER_EVENT, providerEventKind } from '../../../src/work/kinds/providerEvent.ts';
import { applyProviderEvent } from '../../../src/workers/providerEvent.ts';
import { subscribed } from '../../given/billing/facts.ts';
import {
  ofInvoice,
  ofPayment,
  ofSubscription,
  providerEvent,
  providerStandIn,
} from '../../given/billing/providerStandIn.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { runs } from '../../given/fullForm.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work | null = null;
afterEach(async () => {
  await work?.close();
  work = null;
});

async function open() {
  work = await openWork(await withAdmin());
  const { made } = work;
  const ann = await userOf(made);
  const stand = providerStandIn(ann);
  const kindOn = (store: EventStore = made.store) =>
    providerEventKind(
      {
        context: (cause) => made.context(cause, store),
        now: made.now,
        payments: stand.provider,
        ownerOf: async () => null,
      },
      { random: () => 0.5 },
    );
  let count = 0;
  const receive = async (subject: EventSubject, source: 'webhook' | 'sweep' = 'webhook') => {
    count += 1;
    await receiveProviderEvent(made.context(), providerEvent(`evt_${count}`, subject), source);
    await work?.settle();
  };
  const bill = async () => (await loadState(made.store, billingDecider, billingStream(ann))).state;
  const last = async (nth: number) => (await made.log()).findLast(({ stream }) => stream === `stripe-evt_${nth}`);
  return { work, made, ann, stand, kindOn, receive, bill, last };
}

describe('a provider event', () => {
  it('has its payment added once, whether webhooks or the browser report it', async () => {
    const { work, made, ann, stand, kindOn, receive, bill, last } = await open();
    work.start([kindOn()]);
    stand.pay('pi_1', { refunds: [{ refundId: 're_1', amount: 2_000, at: made.now() }] });
    await Promise.all([
      receive(ofPayment('pi_1')),
      receive(ofPayment('pi_1')),
      stand.provider.payment('pi_1').then((paid) => paid && recordPayment(made.context(), paid)),
    ]);
    await work.settle();
    expect((await bill()).funds.amount).toBe(3_000);
    expect(await made.types(`billing-${ann}`)).toEqual(['FundsAdded', 'PaymentRefunded']);
    expect((await last(2))?.type).toBe('ProviderEventApplied');
    expect(await work.listed(PROVIDER_EVENT)).toEqual([]);
  });

  it('waits while the provider is down, and starts over when its holder vanished', async () => {
    const { work, stand, kindOn, receive, bill } = await open();
    stand.pay('pi_1');
    stand.setAway(true);
    const mortal = work.startMortal((store) => [kindOn(store)], 'mortal');
    await receive(ofPayment('pi_1'));
    expect(await work.listed(PROVIDER_EVENT)).toEqual(['evt_1']);
    expect((await work.claim(PROVIDER_EVENT, 'evt_1'))?.failure).toBe('PaymentFault');
    await mortal.vanish();
    stand.setAway(false);
    work.start([kindOn()], { holder: 'heir' });
    await work.pass(10);
    expect((await bill()).funds.amount).toBe(5_000);
    expect(await work.listed(PROVIDER_EVENT)).toEqual([]);
  });

  it('that concerns no account, or whose object is gone, is ignored with its reason', async () => {
    const { work, stand, kindOn, receive, last } = await open();
    work.start([kindOn()]);
    stand.pay('pi_1', { userId: null });
    stand.pay('pi_2', { userId: 'somebody-elsewhere' });
    for (const id of ['pi_1', 'pi_2', 'pi_3']) await receive(ofPayment(id));
    await receive(ofInvoice('in_1'));
    const reasons = await Promise.all([1, 2, 3, 4].map(async (nth) => (await last(nth))?.data));
    expect(reasons).toMatchObject(['not_ours', 'not_ours', 'gone', 'gone'].map((reason) => ({ reason })));
  });

  it('of a deleted account updates what its bill knows, and ignores new things', async () => {
    const { work, made, ann, stand, kindOn, receive, bill, last } = await open();
    work.start([kindOn()]);
    stand.pay('pi_1');
    await receive(ofPayment('pi_1'));
    await deleteAccount(made.context(), { userId: ann });
    stand.pay('pi_1', { refunds: [{ refundId: 're_1', amount: 5_000, at: made.now() }] });
    stand.pay('pi_2');
    await receive(ofPayment('pi_1'));
    await receive(ofPayment('pi_2'));
    expect((await bill()).funds.amount).toBe(0);
    expect((await last(3))?.data).toMatchObject({ userId: ann, reason: 'account_deleted' });
  });

  it('that no webhook delivered reports the plan as behind, until a webhook arrives', async () => {
    const { work, stand, kindOn, receive, bill } = await open();
    work.start([kindOn()]);
    stand.subscribe(subscribed());
    await receive(ofSubscription('sub_1'), 'sweep');
    expect((await bill()).synced?.outcome).toBe('late');
    await receive(ofSubscription('sub_1'), 'sweep');
    await receive(ofSubscription('sub_1'));
    expect((await bill()).synced?.outcome).toBe('in_step');
  });

  it('of an invoice whose subscription began and ended unnoticed records both', async () => {
    const { work, stand, kindOn, receive, bill, made, ann } = await open();
    work.start([kindOn()]);
    stand.subscribe(subscribed());
    stand.subscribe(subscribed({ nth: 1, paid: false, status: 'canceled' }));
    await receive(ofSubscription('sub_1'));
    await receive(ofInvoice('in_sub_1_0'));
    expect(await made.types(`billing-${ann}`)).toEqual(['SubscriptionStarted', 'SubscriptionEnded']);
    expect((await bill()).subscriptions).toMatchObject([{ status: 'canceled' }]);
  });
});

const SUB = 'sub_1';
/** The life of a subscription: created, paid, changed, refunded, ended; each step with the event that reports it. */
function lifeOf(
  stand: ReturnType<typeof providerStandIn>,
): readonly { readonly happen: (asOf: string) => void; readonly subject: EventSubject }[] {
  const is = (more: Partial<ProviderSubscription>, paid: boolean | null) => (asOf: string) =>
    stand.subscribe({ ...subscribed({ paid, ...more } as Parameters<typeof subscribed>[0]), asOf });
  const payment = { purpose: 'subscription', agreed: null, amount: 7_900 } as const;
  return [
    { happen: is({ status: 'inactive' }, null), subject: ofSubscription(SUB) },
    {
      happen: (asOf) => {
        is({}, true)(asOf);
        stand.pay('pi_sub_1_0', payment);
      },
      subject: ofInvoice('in_sub_1_0'),
    },
    { happen: is({ pending: { tier: 'tier1', at: '2026-04-05T00:00:00.000Z' } }, true), subject: ofSubscription(SUB) },
    {
      happen: () =>
        stand.pay('pi_sub_1_0', {
          ...payment,
          refunds: [{ refundId: 're_1', amount: 7_900, at: '2026-03-10T12:00:00.000Z' }],
        }),
      subject: ofPayment('pi_sub_1_0'),
    },
    { happen: is({ status: 'canceled', endedAt: '2026-03-11T00:00:00.000Z' }, true), subject: ofSubscription(SUB) },
  ];
}

/** The resulting bill, whatever the order. */
async function endOf(made: Product, userId: string): Promise<object> {
  const { state } = await loadState(made.store, billingDecider, billingStream(userId));
  const money = (await made.types(`billing-${userId}`))
    .filter((type) => ['SubscriptionStarted', 'PaymentRefunded', 'SubscriptionEnded'].includes(type))
    .sort();
  const [plan] = state.subscriptions;
  return {
    money,
    funds: state.funds,
    plan: plan && { tier: plan.tier, status: plan.status, periodEnd: plan.periodEnd, pending: plan.pending },
  };
}

it('the events of a subscription lead to one state in every order, late, twice, or between its steps', async () => {
  const ended = { status: 'canceled', tier: 'tier2', periodEnd: '2026-04-05T00:00:00.000Z', pending: null };
  const expected = {
    money: ['PaymentRefunded', 'SubscriptionEnded', 'SubscriptionStarted'],
    funds: { amount: 0, currency: null },
    plan: ended,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5, maxLength: 5 }),
      fc.array(fc.nat(5), { minLength: 5, maxLength: 5 }),
      fc.array(fc.nat(4), { maxLength: 3 }),
      async (order, delays, twice) => {
        const made = await withAdmin();
        const ann = await userOf(made);
        const stand = providerStandIn(ann);
        const steps = lifeOf(stand);
        /** In order of arrival, each not before its step, some of them delayed. */
        const arrivals = [
          ...order.map((step, nth) => ({ step, after: Math.max(step, delays[nth] ?? 0) })),
          ...twice.map((step) => ({ step, after: 5 })),
        ];
        const deps = { context: made.context, now: made.now, payments: stand.provider, ownerOf: async () => null };
        for (let now = 0; now <= 5; now += 1) {
          made.pass(1);
          steps[now]?.happen(made.now());
          for (const { step } of arrivals.filter(({ after }) => after === now)) {
            const subject = steps[step]?.subject;
            if (!subject) continue;
            await receiveProviderEvent(made.context(), providerEvent(`evt_${step}`, subject), 'webhook');
            await applyProviderEvent(deps, { eventId: `evt_${step}`, cause: { id: 'cause' } }, () => true);
          }
        }
        expect(await endOf(made, ann)).toEqual(expected);
        await made.store.close();
      },
    ),
    { numRuns: runs(150), seed: 20261123 },
  );
});
