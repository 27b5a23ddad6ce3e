/** The payment sources of a user, and every change of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contextOf } from '../../../src/commands/context.ts';
import { handle } from '../../../src/commands/handle.ts';
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import type { Transaction } from '../../../src/http/contract/billing.ts';
import {
  bought,
  disputed,
  granted,
  periodStart,
  REPORT,
  refunded,
  subscribed,
  told,
} from '../../given/billing/facts.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
});
afterEach(() => app.close());

async function billed(...commands: readonly BillingCommand[]): Promise<void> {
  const { store, now, newId } = app.deps;
  for (const command of commands) {
    const ctx = contextOf({ store, now, commandId: newId(), actor: { kind: 'worker', id: 'payments' } }, null);
    const { position } = await handle(ctx, billingDecider, `billing-${user.userId}`, {
      ...command,
      userId: user.userId,
    });
    await app.readModels.reached(['billing'], position, 2_000);
  }
}
const status = async () => (await user.call('GET', '/api/v1/subscription/status')).body.data;
const profile = async () => (await user.call('GET', '/api/v1/auth/profile')).body.profile;
const history = async (query = '') => (await user.call('GET', `/api/v1/auth/subscription/history${query}`)).body.data;
const reserve = (jobId: string): BillingCommand => ({
  type: 'ReserveAnalyses',
  userId: '',
  jobIds: [jobId],
  batchId: jobId,
  allowance: 3,
  isAdmin: false,
  price: REPORT,
  at: app.deps.now(),
});

describe('the status of a subscription', () => {
  it('is that of the free allowance without one', async () => {
    expect(await status()).toEqual({
      subscription: {
        tier: 'free',
        status: 'inactive',
        features: { actionItemsLimit: 8, domainsPerMonth: 3 },
        cancelAtPeriodEnd: false,
        currentPeriodEnd: null,
        pendingTier: null,
        pendingAt: null,
        graceEndsAt: null,
        holdReason: null,
        hasFullAccess: false,
        syncWarning: null,
        syncError: null,
      },
      usage: { used: 0, limit: 3, periodEnd: '2026-04-01T00:00:00.000Z' },
      balance: { plan: 'free', credits: 0, funds: 0, currency: null, paysNext: 'free_allowance' },
    });
  });

  it('counts the audits of its own period', async () => {
    await billed(told(subscribed({ pending: { tier: 'tier1', at: periodStart(1) } })), reserve('a'));
    expect(await status()).toMatchObject({
      subscription: {
        tier: 'tier2',
        status: 'active',
        features: { actionItemsLimit: 100, domainsPerMonth: 3 },
        currentPeriodEnd: periodStart(1),
        pendingTier: 'tier1',
        pendingAt: periodStart(1),
        hasFullAccess: true,
      },
      usage: { used: 1, limit: 3, periodEnd: periodStart(1) },
      balance: { plan: 'tier2', paysNext: 'plan' },
    });
    expect(await profile()).toMatchObject({ plan: 'tier2', credits: 0, funds: 0 });
  });

  it('shows the grace after a failed payment, and is free afterwards', async () => {
    await billed(told(subscribed()), told(subscribed({ nth: 1, paid: false, status: 'past_due' })));
    expect(await status()).toMatchObject({
      subscription: { tier: 'tier2', status: 'past_due', graceEndsAt: '2026-04-12T00:00:00.000Z' },
    });
    app.advance(40 * 24 * 60 * 60 * 1_000);
    // The session has expired by then.
    const again = await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(again.body.profile.plan).toBe('free');
    const later = await app.call('GET', '/api/v1/subscription/status', { token: again.body.token });
    expect(later.body.data).toMatchObject({
      subscription: { tier: 'tier2', status: 'past_due', features: { actionItemsLimit: 8 } },
      balance: { plan: 'free' },
    });
  });

  it('names a cancelled and an ended plan', async () => {
    await billed(told(subscribed({ cancelsAt: periodStart(1) })));
    expect(await status()).toMatchObject({
      subscription: { tier: 'tier2', status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: periodStart(1) },
    });
    await billed(told(subscribed({ status: 'canceled', asOf: periodStart(1), endedAt: periodStart(1) })));
    expect(await status()).toMatchObject({
      subscription: { tier: 'free', status: 'canceled', currentPeriodEnd: null },
      usage: { limit: 3 },
    });
  });

  it('says when it could not be compared with the provider', async () => {
    await billed({ type: 'RecordSync', userId: '', outcome: 'failed', asked: true, at: app.deps.now() });
    expect(await status()).toMatchObject({
      subscription: { syncError: 'Failed to sync with Stripe', syncWarning: null },
    });
  });
});

describe('credits and funds', () => {
  it('are in the profile, and pay in order', async () => {
    await billed(granted('g1', 1), bought('pi_1'));
    expect(await profile()).toMatchObject({ credits: 1, funds: 5_000 });
    expect((await status()).balance).toEqual({
      plan: 'free',
      credits: 1,
      funds: 5_000,
      currency: 'usd',
      paysNext: 'credits',
    });
    const access = async (url: string) => (await user.call('POST', '/api/v1/process', { url })).body.data.access;
    expect([await access('a.example'), await access('b.example'), await access('c.example')]).toEqual([
      'full',
      'full',
      'preview',
    ]);
    expect((await status()).balance).toMatchObject({ credits: 0, funds: 0, paysNext: 'free_allowance' });
  });

  it('may be negative', async () => {
    await billed(bought('pi_1'), reserve('a'), refunded('re_1', 'pi_1', 5_000));
    expect(await profile()).toMatchObject({ funds: -5_000 });
  });

  it('are sent to open pages', async () => {
    const socket = await (await openSocket(app.url)).logIn(user.token);
    await socket.subscribe('billing');
    await billed(granted('g1', 2));
    expect(await socket.next((message) => message.table === 'billing')).toMatchObject({
      new: { balance: { credits: 2, paysNext: 'credits' } },
    });
    await socket.close();
  });
});

describe('the billing history', () => {
  it('has a row for each change, with the balance after it', async () => {
    const note = { noteId: 'note-1', userId: user.userId, text: 'A gift', writtenAt: app.deps.now() };
    await app.given(`billing-notes-${user.userId}`, { type: 'BillingNoteWritten', data: note });
    await billed(
      granted('g1', 1),
      bought('pi_1', { quantity: 3, amount: 12_750, funds: 15_000, discountCode: 'SPRING' }),
      reserve('a'),
      reserve('b'),
    );
    await billed(
      { type: 'ReleaseAnalysis', userId: '', jobId: 'b', reason: 'job_failed', at: app.deps.now() },
      refunded('re_1', 'pi_1', 50),
    );
    await billed(disputed('dp_1', 'pi_1', 'open', 100), disputed('dp_1', 'pi_1', 'won', 100));
    const { transactions, pagination } = await history();
    expect(pagination).toEqual({ limit: 10, has_more: false, cursor: null });
    const seen = (transactions as Transaction[]).map(
      ({ type, transaction_type, status: state, description, amount, balance_after, reason }) => [
        type,
        transaction_type,
        state,
        description,
        amount,
        balance_after,
        reason,
      ],
    );
    expect(seen.toReversed()).toEqual([
      ['credit', 'credits', 'success', '1 credit', 1, 1, 'A gift'],
      ['purchase', 'funds', 'success', '3 reports', 12_750, 15_000, 'Code SPRING'],
      ['usage', 'analysis', 'success', 'Audit', -1, 0, null],
      ['usage', 'analysis', 'success', 'Audit', -5_000, 10_000, null],
      ['usage', 'release', 'success', 'Audit returned', 5_000, 15_000, null],
      ['payment', 'refund', 'refunded', 'Refund', -50, 14_941, null],
      ['payment', 'dispute', 'disputed', 'Payment disputed', -100, 14_824, null],
      ['payment', 'dispute', 'success', 'Dispute decided in our favor', 100, 14_941, null],
    ]);
    // A row of money is never labeled as credits, and has its sum in the currency's own unit.
    const money = (transactions as Transaction[]).filter(({ currency }) => currency !== null);
    expect(money).toHaveLength(6);
    for (const { amount, metadata } of money)
      expect(metadata).toMatchObject({ payment_method: expect.any(String), amount_dollars: amount / 100 });
  });

  it('has each change of a subscription', async () => {
    const invoice = {
      ...subscribed().invoice!,
      invoiceId: 'in_up',
      paymentIntentId: 'pi_up',
      amount: 6_000,
      reason: 'change' as const,
    };
    const change = { tier: 'tier3' as const, price: 19_900, asOf: periodStart(0) };
    await billed(
      told(subscribed()),
      told({ ...subscribed(change), invoice }),
      told(subscribed({ ...change, pending: { tier: 'tier1', at: periodStart(1) } })),
    );
    await billed(
      told(subscribed({ nth: 1, tier: 'tier1', price: 2_900 })),
      told(subscribed({ nth: 2, paid: false, status: 'past_due', tier: 'tier1' })),
    );
    await billed(told(subscribed({ nth: 2, tier: 'tier1', status: 'canceled', endedAt: periodStart(2) })));
    const { transactions } = await history();
    expect(
      (transactions as Transaction[])
        .toReversed()
        .map(({ transaction_type, status: state, description, amount }) => [
          transaction_type,
          state,
          description,
          amount,
        ]),
    ).toEqual([
      ['start', 'active', 'Professional plan', 7_900],
      ['upgrade', 'paid', 'Upgraded to Business', 6_000],
      ['downgrade', 'active', 'Changes to Basic on Apr 5, 2026', 0],
      ['renewal', 'renewed', 'Basic plan renewed', 7_900],
      ['failed', 'failed', 'Payment failed', 0],
      ['renewal', 'renewed', 'Basic plan renewed', 7_900],
      ['cancel', 'cancelled', 'Basic plan canceled', 0],
    ]);
    expect(transactions[6]).toMatchObject({
      reason: 'Invoice A-0001',
      stripe_payment_id: 'pi_sub_1_0',
      metadata: {
        invoice_number: 'A-0001',
        tier: 'tier2',
        tier_price: 7_900,
        monthly_price: 7_900,
        subscription_id: 'sub_1',
        amount_dollars: 79,
      },
    });
  });

  it('is paged, and visible to its owner only', async () => {
    for (let nth = 0; nth < 12; nth += 1) await billed(granted(`g${nth}`, 1));
    const first = await history();
    expect([first.transactions.length, first.pagination.has_more]).toEqual([10, true]);
    const second = await history(`?cursor=${encodeURIComponent(first.pagination.cursor)}`);
    expect(second.transactions.map(({ balance_after }: Transaction) => balance_after)).toEqual([2, 1]);
    const stranger = await app.signUp();
    expect((await stranger.call('GET', '/api/v1/auth/subscription/history')).body.data.transactions).toEqual([]);
    expect((await user.call('GET', '/api/v1/auth/subscription/history?cursor=x')).body.code).toBe('INVALID_CURSOR');
  });
});
