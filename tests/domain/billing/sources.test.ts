import { describe, expect, it } from 'vitest';
import { unlockOf } from '../../../src/domain/billing/billing.ts';
import type { BillingCommand } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent, Taken } from '../../../src/domain/billing/events.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';
import {
  BUYER,
  billed,
  bought,
  disputed,
  granted,
  NOW,
  periodStart,
  REPORT,
  refunded,
  subscribed,
  told,
} from '../../given/billing/facts.ts';

type Reserve = Extract<BillingCommand, { type: 'ReserveAnalyses' }>;

const reserve = (jobIds: readonly string[], more: Partial<Reserve> = {}): Reserve => ({
  type: 'ReserveAnalyses',
  userId: BUYER,
  jobIds,
  batchId: 'batch',
  allowance: 3,
  isAdmin: false,
  price: REPORT,
  at: NOW,
  ...more,
});
const release = (jobId: string, at = NOW): BillingCommand => ({
  type: 'ReleaseAnalysis',
  userId: BUYER,
  jobId,
  reason: 'job_failed',
  at,
});
const unlock = (jobId: string, more: Partial<Extract<BillingCommand, { type: 'PayUnlock' }>> = {}): BillingCommand => ({
  type: 'PayUnlock',
  userId: BUYER,
  jobId,
  isAdmin: false,
  price: REPORT,
  at: NOW,
  ...more,
});

const takenIn = (events: readonly BillingEvent[]): readonly Taken['from'][] =>
  events.flatMap(({ type, data }) => (type === 'AnalysisReserved' ? [data.from] : []));
const left = ({ credits, funds }: BillingState) => ({ credits, funds: funds.amount });

describe('the sources of an audit', () => {
  const everything = [
    told(subscribed({ tier: 'tier1' })),
    granted('g1', 1),
    bought('pi_1', { quantity: 2, funds: 10_000, amount: 10_000 }),
  ];

  it('are the plan, then credits, then funds, then the free allowance', () => {
    const jobs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const { events, state } = billed(...everything, ...jobs.map((job) => reserve([job])));
    expect(takenIn(events)).toEqual([
      'plan',
      'credits',
      'funds',
      'funds',
      'free_allowance',
      'free_allowance',
      'free_allowance',
    ]);
    expect(left(state)).toEqual({ credits: 0, funds: 0 });
    const reservations = events.flatMap(({ type, data }) => (type === 'AnalysisReserved' ? [data] : []));
    expect(reservations.map(({ access }) => access)).toEqual([
      'full',
      'full',
      'full',
      'full',
      'preview',
      'preview',
      'preview',
    ]);
    expect(reservations[0]).toMatchObject({ subscriptionId: 'sub_1', periodStart: periodStart(0), period: '2026-03' });
    expect(reservations[1]).toMatchObject({ balance: 0 });
    expect(reservations[2]).toMatchObject({ amount: 5_000, currency: 'usd', balance: 5_000 });
    expect(reservations[3]).toMatchObject({ balance: 0 });
  });

  it('may be several for one batch, all or nothing', () => {
    const { events } = billed(...everything, reserve(['a', 'b', 'c', 'd', 'e', 'f', 'g']));
    expect(takenIn(events)).toEqual([
      'plan',
      'credits',
      'funds',
      'funds',
      'free_allowance',
      'free_allowance',
      'free_allowance',
    ]);
    expect(() => billed(...everything, reserve(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']))).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_CREDITS', details: { credits_required: 8, credits_available: 7 } }),
    );
  });

  it('take nothing from an admin', () => {
    const { events, state } = billed(...everything, reserve(['a', 'b'], { isAdmin: true }));
    expect(takenIn(events)).toEqual(['admin', 'admin']);
    expect(left(state)).toEqual({ credits: 1, funds: 10_000 });
  });

  it('exclude funds while the price is unknown, higher than the funds, or in another currency', () => {
    const poor = bought('pi_1');
    const { price: _, ...unpriced } = reserve(['a']);
    expect(takenIn(billed(poor, unpriced).events)).toEqual(['free_allowance']);
    expect(takenIn(billed(poor, reserve(['a'], { price: { amount: 5_001, currency: 'usd' } })).events)).toEqual([
      'free_allowance',
    ]);
    expect(takenIn(billed(poor, reserve(['a'], { price: { amount: 5_000, currency: 'eur' } })).events)).toEqual([
      'free_allowance',
    ]);
  });
});

describe('releasing a job’s audit', () => {
  it('returns it to its source, in the amount taken, whatever a report costs by now', () => {
    const { events, state } = billed(granted('g1', 1), bought('pi_1'), reserve(['a', 'b']), release('a'), release('b'));
    expect(left(state)).toEqual({ credits: 1, funds: 5_000 });
    expect(events.slice(-2)).toMatchObject([
      { type: 'AnalysisReleased', data: { from: 'credits', balance: 1 } },
      { type: 'AnalysisReleased', data: { from: 'funds', amount: 5_000, currency: 'usd', balance: 5_000 } },
    ]);
  });

  it('returns it to the plan period it was taken from', () => {
    const next = told(subscribed({ tier: 'tier1', nth: 1 }));
    const inNext = { at: '2026-04-10T00:00:00.000Z' };
    const past = [
      told(subscribed({ tier: 'tier1' })),
      reserve(['a']),
      next,
      reserve(['b'], inNext),
      release('a', inNext.at),
    ];
    expect(takenIn(billed(...past, reserve(['c'], inNext)).events)).toEqual(['plan', 'plan', 'free_allowance']);
    expect(billed(...past).events.at(-1)).toMatchObject({
      data: { from: 'plan', subscriptionId: 'sub_1', periodStart: periodStart(0) },
    });
  });
});

describe('unlocking a preview', () => {
  const preview = reserve(['a'], { allowance: 1 });

  it('takes one full audit, once per job', () => {
    const { events, state } = billed(preview, bought('pi_1'), unlock('a'), unlock('a'));
    expect(events.slice(2)).toEqual([
      {
        type: 'UnlockPaid',
        data: {
          userId: BUYER,
          jobId: 'a',
          from: 'funds',
          period: '2026-03',
          amount: 5_000,
          currency: 'usd',
          balance: 0,
          paidAt: NOW,
        },
      },
    ]);
    expect(unlockOf(state, 'a')).toMatchObject({ from: 'funds' });
    expect(billed(preview, granted('g1', 1), unlock('a')).events.at(-1)).toMatchObject({
      data: { from: 'credits', balance: 0 },
    });
    expect(billed(preview, told(subscribed()), unlock('a')).events.at(-1)).toMatchObject({ data: { from: 'plan' } });
    expect(billed(preview, unlock('a', { isAdmin: true })).events.at(-1)).toMatchObject({ data: { from: 'admin' } });
  });

  it('is not paid from the free allowance', () => {
    expect(() => billed(preview, unlock('a'))).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_CREDITS', details: { credits_required: 1, credits_available: 0 } }),
    );
  });

  it('is refused for a job already shown in full', () => {
    expect(() => billed(granted('g1', 2), reserve(['a']), unlock('a'))).toThrow(
      expect.objectContaining({ code: 'ALREADY_UNLOCKED' }),
    );
  });

  it('is released once when its job is gone, and is not charged again', () => {
    const back: BillingCommand = { type: 'ReturnUnlock', userId: BUYER, jobId: 'a', at: NOW };
    const { events, state } = billed(preview, bought('pi_1'), unlock('a'), back, back, unlock('a'));
    expect(events.slice(3)).toMatchObject([
      { type: 'UnlockReturned', data: { from: 'funds', amount: 5_000, balance: 5_000 } },
    ]);
    expect(left(state)).toEqual({ credits: 0, funds: 5_000 });
  });
});

describe('funds and credits', () => {
  it('are added once for a payment and a grant', () => {
    const { events, state } = billed(
      bought('pi_1'),
      bought('pi_1'),
      granted('g1', 2),
      granted('g1', 2),
      bought('pi_2'),
    );
    expect(events.map(({ type }) => type)).toEqual(['FundsAdded', 'CreditsGranted', 'FundsAdded']);
    expect(left(state)).toEqual({ credits: 2, funds: 10_000 });
    expect(events.at(-1)).toMatchObject({ data: { balance: 10_000 } });
  });

  it('refuse an invalid amount and another currency', () => {
    const refusal = (code: string) => expect.objectContaining({ code });
    for (const funds of [-1, 0.5, Number.NaN])
      expect(() => billed(bought('pi_1', { funds }))).toThrow(refusal('AMOUNT_INVALID'));
    for (const credits of [0, -1, 1.5, 10_001])
      expect(() => billed(granted('g1', credits))).toThrow(refusal('CREDITS_INVALID'));
    expect(() => billed(bought('pi_1'), bought('pi_2', { currency: 'eur' }))).toThrow(refusal('CURRENCY_MISMATCH'));
    expect(() => billed(refunded('re_1', 'pi_1', 1))).toThrow(refusal('PAYMENT_UNKNOWN'));
  });

  it('are taken back in proportion to the refund, all of them with its last cent', () => {
    const half = bought('pi_1', { amount: 2_501, funds: 5_000 });
    const { events, state } = billed(
      half,
      refunded('re_1', 'pi_1', 1_000),
      refunded('re_1', 'pi_1', 1_000),
      refunded('re_2', 'pi_1', 1_501),
    );
    expect(events.slice(1).map(({ data }) => (data as { funds: number }).funds)).toEqual([1_999, 3_001]);
    expect(left(state)).toEqual({ credits: 0, funds: 0 });
  });

  it('may become negative when already spent, and then pay for nothing', () => {
    const { events, state } = billed(
      bought('pi_1'),
      reserve(['a']),
      refunded('re_1', 'pi_1', 5_000),
      reserve(['b']),
      bought('pi_2'),
      reserve(['c']),
    );
    expect(takenIn(events)).toEqual(['funds', 'free_allowance', 'free_allowance']);
    expect(left(state).funds).toBe(0);
    expect(billed(bought('pi_1'), reserve(['a']), refunded('re_1', 'pi_1', 5_000)).state.funds.amount).toBe(-5_000);
  });

  it('are held while a payment is disputed, and returned when the dispute is won', () => {
    const open = [bought('pi_1'), disputed('dp_1', 'pi_1', 'open'), disputed('dp_1', 'pi_1', 'open')];
    expect(left(billed(...open).state).funds).toBe(0);
    const won = billed(
      ...open,
      disputed('dp_1', 'pi_1', 'won'),
      disputed('dp_1', 'pi_1', 'lost'),
      disputed('dp_1', 'pi_1', 'open'),
    );
    expect(left(won.state).funds).toBe(5_000);
    expect(won.events.map(({ type }) => type)).toEqual(['FundsAdded', 'DisputeOpened', 'DisputeWon']);
    const lost = billed(...open, disputed('dp_1', 'pi_1', 'lost'));
    expect(left(lost.state).funds).toBe(0);
    expect(lost.events.map(({ type }) => type)).toEqual(['FundsAdded', 'DisputeOpened', 'DisputeLost']);
  });

  it('handle a dispute whose opening was never reported', () => {
    const { events, state } = billed(bought('pi_1'), disputed('dp_1', 'pi_1', 'won'));
    expect(events.map(({ type }) => type)).toEqual(['FundsAdded', 'DisputeOpened', 'DisputeWon']);
    expect(events.at(-1)).toMatchObject({ data: { funds: 5_000, balance: 5_000 } });
    expect(left(state).funds).toBe(5_000);
  });

  it('are never taken back twice for one payment, refunded and disputed', () => {
    const { state } = billed(
      bought('pi_1'),
      refunded('re_1', 'pi_1', 3_000),
      disputed('dp_1', 'pi_1', 'open'),
      refunded('re_2', 'pi_1', 2_000),
    );
    expect(left(state).funds).toBe(0);
    const won = billed(
      bought('pi_1'),
      refunded('re_1', 'pi_1', 3_000),
      disputed('dp_1', 'pi_1', 'open'),
      disputed('dp_1', 'pi_1', 'won'),
    );
    expect(left(won.state).funds).toBe(2_000);
  });

  it('are separate from refunds of the subscription’s payment', () => {
    const { events, state } = billed(bought('pi_1'), {
      ...refunded('re_1', 'pi_sub', 7_900),
      purpose: 'subscription',
    } as BillingCommand);
    expect(events.at(-1)).toMatchObject({ type: 'PaymentRefunded', data: { amount: 7_900, funds: 0, balance: 5_000 } });
    expect(left(state).funds).toBe(5_000);
  });
});
