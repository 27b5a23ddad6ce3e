import { describe, expect, it } from 'vitest';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../src/domain/billing/events.ts';
import type { Recorded } from '../../src/eventStore/eventStore.ts';
import { type LedgerDocument, ledger } from '../../src/projections/ledger.ts';
import { revenue } from '../../src/reports/revenue.ts';
import { describeLedgerQueries } from '../contract/ledgerQueries.ts';
import { ledgerLog } from '../given/billing/ledgerLog.ts';
import { some } from '../given/fullForm.ts';
import { fold, project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const userId = 'user-1';
const at = '2026-03-31T10:00:00.000Z';
const ofPayment = { userId, paymentIntentId: 'pi_1', currency: 'usd' };
const ofPlan = { userId, subscriptionId: 'sub_1', asOf: at };
const period = { periodStart: at, periodEnd: '2026-04-30T10:00:00.000Z', price: 2_900, currency: 'usd' };
const invoice = { invoiceId: 'in_1', number: 'A-1', paymentIntentId: 'pi_2', amount: 2_610, currency: 'usd' };
const paid = { ...invoice, discounts: [{ amount: 100 }, { code: 'Ten', amount: 190 }] };
const taken = { userId, jobId: 'job-1', period: '2026-03', balance: 0 };

/** Of a single event, as the only row; without what every row has. */
function rowOf(event: BillingEvent): Partial<LedgerDocument> | null {
  const rows = Object.values(project(ledger, event as never)) as LedgerDocument[];
  expect(rows.length).toBeLessThanOrEqual(1);
  const [row] = rows;
  if (!row) return null;
  const { type, userId: owner, revision, at: time, order, ...rest } = row;
  expect([type, owner, revision, time, order]).toEqual([
    event.type,
    userId,
    0,
    '2026-03-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z 00000000000000000001',
  ]);
  return rest;
}

const ROWS: readonly (readonly [BillingEvent, Partial<LedgerDocument> | null])[] = [
  [
    {
      type: 'FundsAdded',
      data: {
        ...ofPayment,
        amount: 9_000,
        funds: 10_000,
        balance: 10_000,
        quantity: 2,
        discountCode: 'Ten',
        addedAt: at,
      },
    },
    { kind: 'purchase', amount: 9_000, funds: 10_000, credits: 0, currency: 'usd', paymentId: 'pi_1', code: 'TEN' },
  ],
  [
    {
      type: 'PaymentRefunded',
      data: { ...ofPayment, amount: 900, funds: 1_000, balance: 0, refundId: 're_1', refundedAt: at },
    },
    { kind: 'refund', amount: -900, funds: -1_000, credits: 0, currency: 'usd', paymentId: 'pi_1', objectId: 're_1' },
  ],
  [
    {
      type: 'DisputeOpened',
      data: { ...ofPayment, amount: 900, funds: 1_000, balance: 0, disputeId: 'dp_1', openedAt: at },
    },
    { kind: 'dispute', amount: -900, funds: -1_000, credits: 0, currency: 'usd', paymentId: 'pi_1', objectId: 'dp_1' },
  ],
  [
    { type: 'DisputeWon', data: { ...ofPayment, amount: 900, funds: 1_000, balance: 0, disputeId: 'dp_1', wonAt: at } },
    { kind: 'dispute', amount: 900, funds: 1_000, credits: 0, currency: 'usd', paymentId: 'pi_1', objectId: 'dp_1' },
  ],
  [
    { type: 'DisputeLost', data: { ...ofPayment, amount: 900, funds: 0, balance: 0, disputeId: 'dp_1', lostAt: at } },
    { kind: 'dispute', amount: 0, funds: 0, credits: 0, currency: 'usd', paymentId: 'pi_1', objectId: 'dp_1' },
  ],
  [
    {
      type: 'CreditsGranted',
      data: { userId, grantId: 'grant-1', credits: 5, reason: 'Sorry, Ann', balance: 5, grantedAt: at },
    },
    { kind: 'credit', amount: 0, funds: 0, credits: 5 },
  ],
  [
    {
      type: 'SubscriptionStarted',
      data: { ...ofPlan, ...period, tier: 'tier1', status: 'active', paid, startedAt: at },
    },
    {
      kind: 'plan_invoice',
      amount: 2_610,
      funds: 0,
      credits: 0,
      currency: 'usd',
      tier: 'tier1',
      code: 'TEN',
      invoiceNumber: 'A-1',
      paymentId: 'pi_2',
      subscriptionId: 'sub_1',
      objectId: 'in_1',
    },
  ],
  [
    {
      type: 'SubscriptionStarted',
      data: { ...ofPlan, ...period, tier: 'tier1', status: 'trialing', paid: null, startedAt: at },
    },
    { kind: 'plan', amount: 0, funds: 0, credits: 0, tier: 'tier1', subscriptionId: 'sub_1' },
  ],
  [
    {
      type: 'SubscriptionChanged',
      data: { ...ofPlan, ...period, formerTier: 'tier1', tier: 'tier2', paid: null, changedAt: at },
    },
    { kind: 'plan', amount: 0, funds: 0, credits: 0, formerTier: 'tier1', tier: 'tier2', subscriptionId: 'sub_1' },
  ],
  [
    {
      type: 'SubscriptionRenewed',
      data: { ...ofPlan, ...period, tier: 'tier2', paid: { ...invoice, paymentIntentId: null }, renewedAt: at },
    },
    {
      kind: 'renewal',
      amount: 2_610,
      funds: 0,
      credits: 0,
      currency: 'usd',
      tier: 'tier2',
      invoiceNumber: 'A-1',
      subscriptionId: 'sub_1',
      objectId: 'in_1',
    },
  ],
  [
    {
      type: 'SubscriptionPaymentFailed',
      data: {
        ...ofPlan,
        periodStart: at,
        periodEnd: at,
        invoiceId: 'in_2',
        amount: 2_900,
        currency: 'usd',
        graceEndsAt: at,
        failedAt: at,
      },
    },
    { kind: 'plan', amount: 0, funds: 0, credits: 0, currency: 'usd', subscriptionId: 'sub_1', objectId: 'in_2' },
  ],
  [
    {
      type: 'SubscriptionSuspended',
      data: { userId, subscriptionId: 'sub_1', reason: 'disputed', paymentIntentId: 'pi_2', suspendedAt: at },
    },
    { kind: 'plan', amount: 0, funds: 0, credits: 0, subscriptionId: 'sub_1', paymentId: 'pi_2' },
  ],
  [
    { type: 'SubscriptionEnded', data: { ...ofPlan, tier: 'tier2', endedAt: at } },
    { kind: 'plan', amount: 0, funds: 0, credits: 0, tier: 'tier2', subscriptionId: 'sub_1' },
  ],
  [
    {
      type: 'AnalysisReserved',
      data: { ...taken, from: 'funds', amount: 5_000, currency: 'usd', access: 'full', reservedAt: at },
    },
    { kind: 'funds_use', amount: 0, funds: -5_000, credits: 0, currency: 'usd', jobId: 'job-1' },
  ],
  [
    {
      type: 'AnalysisReleased',
      data: { ...taken, from: 'funds', amount: 5_000, currency: 'usd', reason: 'job_failed', releasedAt: at },
    },
    { kind: 'funds_use', amount: 0, funds: 5_000, credits: 0, currency: 'usd', jobId: 'job-1' },
  ],
  [
    { type: 'UnlockPaid', data: { ...taken, from: 'credits', paidAt: at } },
    { kind: 'credit_use', amount: 0, funds: 0, credits: -1, jobId: 'job-1' },
  ],
  [
    { type: 'UnlockReturned', data: { ...taken, from: 'credits', returnedAt: at } },
    { kind: 'credit_use', amount: 0, funds: 0, credits: 1, jobId: 'job-1' },
  ],
  [{ type: 'AnalysisReserved', data: { ...taken, from: 'plan', access: 'full', reservedAt: at } }, null],
  [{ type: 'AnalysisReserved', data: { ...taken, from: 'free_allowance', access: 'preview', reservedAt: at } }, null],
  // Of a log from before releases said what they give back: only the free allowance was there to take from.
  [{ type: 'AnalysisReleased', data: { userId, jobId: 'job-1', reason: 'job_failed', releasedAt: at } }, null],
  [{ type: 'AnalysisConsumed', data: { userId, jobId: 'job-1', consumedAt: at } }, null],
  [{ type: 'SubscriptionSynced', data: { userId, outcome: 'in_step', syncedAt: at } }, null],
];

describe('a row of the ledger', () => {
  it.each(ROWS.map(([event, row]) => [event.type, event, row] as const))('of %s', (_type, event, row) => {
    expect(rowOf(event)).toEqual(row);
  });

  it('is made of its event alone: none is read, changed, or removed by another', () => {
    const log = ledgerLog(11, 2, 200);
    const rows = fold(ledger, log as never);
    for (const event of log) {
      if (!(ledger.handles as readonly string[]).includes(event.type)) continue;
      const keys = ledger.keys(event as never);
      expect([[], [event.id]]).toContainEqual(keys);
      if (keys.length > 0) expect(ledger.evolve(null, event as never, event.id)).toEqual(rows[event.id]);
    }
    expect(ledger).not.toHaveProperty('sums');
    expect(ledger).not.toHaveProperty('deletes');
  });

  it('has no text that a person wrote', () => {
    expect(JSON.stringify(ROWS.map(([event]) => rowOf(event)))).not.toContain('Ann');
  });
});

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0);

describe('the sums of all rows', () => {
  const seeds = Array.from({ length: 12 }, (_, seed) => 100 * seed);
  it.each(some(seeds, 4).map((seed) => [seed]))('are those of the report Revenue and of the bills (%i)', (seed) => {
    const log = ledgerLog(seed, 4, 250);
    const rows = Object.values(fold(ledger, log as never)) as LedgerDocument[];
    const state = log
      .filter(({ type }) => (revenue.types as readonly string[]).includes(type))
      .reduce((known, event) => revenue.evolve(known, event as never), revenue.initial());
    const tables = revenue.tables(state, { from: null, to: null, by: 'month', asOf: at } as never);
    const ofReport = tables.find(({ name }) => name === 'over-time')?.rows ?? [];
    for (const currency of ['usd', 'eur']) {
      const ours = rows.filter((row) => row.currency === currency);
      const theirs = ofReport.filter((row) => row.currency === currency);
      const kinds = (...some: readonly string[]) => ours.filter(({ kind }) => some.includes(kind));
      const payments = kinds('purchase', 'plan_invoice', 'renewal');
      expect({
        payments: payments.filter(({ amount }) => amount > 0).length,
        paid: sum(payments, ({ amount }) => amount),
        refunded: -sum(kinds('refund'), ({ amount }) => amount),
        disputed: -sum(kinds('dispute'), ({ amount }) => amount),
        net: sum(ours, ({ amount }) => amount),
      }).toEqual(
        Object.fromEntries(
          ['payments', 'paid', 'refunded', 'disputed', 'net'].map((field) => [
            field,
            sum(theirs, (row) => Number(row[field])),
          ]),
        ),
      );
      expect(payments.length).toBeGreaterThan(0);
    }
    for (const user of new Set(log.map(({ data }) => data.userId))) {
      const bill = log
        .filter(({ data }) => data.userId === user)
        .reduce(
          (known, { type, data }: Recorded<BillingEvent>) =>
            billingDecider.evolve(known, { type, data } as BillingEvent),
          billingDecider.initialState(),
        );
      const ours = rows.filter((row) => row.userId === user);
      expect([user, sum(ours, ({ funds }) => funds), sum(ours, ({ credits }) => credits)]).toEqual([
        user,
        bill.funds.amount,
        bill.credits,
      ]);
    }
  });
});

describeLedgerQueries('SQLite', async () => {
  const readModels = memoryReadModels();
  return { readModels, dispose: () => readModels.close() };
});
