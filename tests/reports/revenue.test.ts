/** The revenue report: its content, and that it equals the bills in any history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BillingCommand, billingDecider } from '../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../src/domain/billing/events.ts';
import type { BillingState } from '../../src/domain/billing/ledger.ts';
import { DomainError } from '../../src/domain/decider.ts';
import type { Recorded } from '../../src/eventStore/eventStore.ts';
import { presentTransaction } from '../../src/http/present/billingHistory.ts';
import type { PaidTier } from '../../src/model/tiers.ts';
import { billing } from '../../src/projections/billing.ts';
import { revenue } from '../../src/reports/revenue.ts';
import { billed, bought, granted, refunded, subscribed, told } from '../given/billing/facts.ts';
import { createWorld, type World } from '../given/billing/world.ts';
import { FULL } from '../given/fullForm.ts';
import { ALL, happened, logOf, NOW, rowsOf, runReport } from '../given/reports.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { fold } from '../given/stores/projection.ts';

const RUNS = FULL ? 2_000 : 100;
const SEED = 20261201;

/** Events of one bill, each at its own time. */
const billOf = (at: readonly string[], ...commands: readonly BillingCommand[]) =>
  billed(...commands).events.map((event, nth) =>
    happened('billing-user-1', at[Math.min(nth, at.length - 1)] ?? NOW, event.type, event.data),
  );

describe('the revenue', () => {
  it('is empty without events', async () => {
    const result = await runReport(await logOf(), revenue);
    expect(result.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['over-time', []],
      ['by-plan', []],
      ['by-plan-over-time', []],
      ['recurring', []],
      ['credits', []],
    ]);
  });

  it('counts reports, plans, refunds and granted credits by month', async () => {
    const log = await logOf(
      ...billOf(
        [
          '2026-01-10T10:00:00.000Z',
          '2026-02-01T00:00:00.000Z',
          '2026-02-02T00:00:00.000Z',
          '2026-03-31T23:59:59.999Z',
        ],
        bought('pi_1', { amount: 5_000 }),
        refunded('re_1', 'pi_1', 2_000),
        told(subscribed()),
        granted('grant-1', 3),
      ),
    );
    const result = await runReport(log, revenue);
    expect(rowsOf(result, 'over-time')).toEqual([
      { step: '2026-01-01', currency: 'usd', payments: 1, paid: 5_000, refunded: 0, disputed: 0, net: 5_000 },
      { step: '2026-02-01', currency: 'usd', payments: 1, paid: 7_900, refunded: 2_000, disputed: 0, net: 5_900 },
    ]);
    expect(rowsOf(result, 'by-plan')).toEqual([
      {
        kind: 'Reports',
        plan: null,
        currency: 'usd',
        payments: 1,
        paid: 5_000,
        refunded: 2_000,
        disputed: 0,
        net: 3_000,
      },
      {
        kind: 'Subscription',
        plan: 'Professional',
        currency: 'usd',
        payments: 1,
        paid: 7_900,
        refunded: 0,
        disputed: 0,
        net: 7_900,
      },
    ]);
    expect(rowsOf(result, 'credits')).toEqual([{ step: '2026-03-01', grants: 1, credits: 3 }]);
    const february = await runReport(log, revenue, { from: '2026-02-01', to: '2026-02-01', by: 'day' });
    expect(rowsOf(february, 'over-time')).toEqual([
      { step: '2026-02-01', currency: 'usd', payments: 0, paid: 0, refunded: 2_000, disputed: 0, net: -2_000 },
    ]);
  });

  it('counts as recurring what was agreed, not the list price', async () => {
    const at = '2026-03-05T00:00:00.000Z';
    const yearly = { subscriptionId: 'sub_2', tier: 'tier3' as const, price: 199_000, monthly: 16_583 };
    const log = await logOf(...billOf([at], told(subscribed({ monthly: 3_950 }), at), told(subscribed(yearly), at)));
    const result = await runReport(log, revenue, {}, { at: '2026-03-31T00:00:00.000Z' });
    expect(rowsOf(result, 'recurring')).toMatchObject([{ new: 3_950, expansion: 16_583, closing: 20_533 }]);
  });

  it('shows the changes of recurring revenue, also in months without an event', async () => {
    const at = (month: number): string => `2026-0${month}-05T00:00:00.000Z`;
    const log = await logOf(
      ...billOf(
        [at(3), at(4), at(6)],
        told(subscribed(), at(3)),
        told(subscribed({ tier: 'tier3', price: 19_900, asOf: at(4) }), at(4)),
        told(subscribed({ tier: 'tier3', price: 19_900, status: 'canceled', endedAt: at(6), asOf: at(6) }), at(6)),
      ),
    );
    const moves = (params: object) =>
      runReport(log, revenue, params, { at: '2026-07-01T00:00:00.000Z' }).then((result) => rowsOf(result, 'recurring'));
    const none = { currency: 'usd', new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0 };
    const from4 = [
      { ...none, step: '2026-04-01', opening: 7_900, expansion: 12_000, closing: 19_900, subscribers: 1 },
      { ...none, step: '2026-05-01', opening: 19_900, closing: 19_900, subscribers: 1 },
      { ...none, step: '2026-06-01', opening: 19_900, churn: -19_900, closing: 0, subscribers: 0 },
    ];
    const last = { ...none, step: '2026-07-01', opening: 0, closing: 0, subscribers: 0 };
    expect(await moves({})).toEqual([
      { ...none, step: '2026-03-01', opening: 0, new: 7_900, closing: 7_900, subscribers: 1 },
      ...from4,
      last,
    ]);
    // Everything before the range is its opening value.
    expect(await moves({ from: '2026-04-01', to: '2026-06-30' })).toEqual(from4);
  });

  it('covers the first plan until today at most, without empty rows outside', async () => {
    const log = await logOf(...billOf(['2026-11-05T00:00:00.000Z'], told(subscribed(), '2026-11-05T00:00:00.000Z')));
    const steps = async (params: object, at: string) =>
      rowsOf(await runReport(log, revenue, params, { at }), 'recurring').map(({ step }) => step);
    expect(await steps({}, '2027-06-01T00:00:00.000Z')).toEqual(['2026-11-01', '2026-12-01']);
    expect(await steps({ from: '2026-01-01' }, '2026-12-01T00:00:00.000Z')).toEqual(['2026-11-01', '2026-12-01']);
    const last = await runReport(log, revenue, { to: '9999-12-31' }, { at: '9999-12-31T23:59:59.999Z' });
    expect([last.asOf, rowsOf(last, 'over-time').length, rowsOf(last, 'recurring').length]).toEqual([NOW, 1, 2]);
  });
});

type Act = (world: World) => readonly BillingCommand[];
const tier = fc.constantFrom<PaidTier>('tier1', 'tier2', 'tier3', 'tier4');
const purpose = fc.constantFrom<'funds' | 'subscription'>('funds', 'subscription');
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 33.33, 100)).map(
    ([quantity, off]): Act =>
      (world) =>
        world.buy(quantity, off),
  ),
  fc.tuple(fc.nat(), fc.constantFrom(33, 50, 100), purpose).map(
    ([dice, percent, of]): Act =>
      (world) =>
        world.refund(dice, percent, of),
  ),
  fc.tuple(fc.nat(), purpose).map(
    ([dice, of]): Act =>
      (world) =>
        world.dispute(dice, of),
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(
    ([dice, won]): Act =>
      (world) =>
        world.decideDispute(dice, won),
  ),
  tier.map(
    (to): Act =>
      (world) =>
        world.subscribe(to),
  ),
  tier.map(
    (to): Act =>
      (world) =>
        world.change(to),
  ),
  fc.constantFrom<'end' | 'once'>('end', 'once').map(
    (at): Act =>
      (world) =>
        world.cancel(at),
  ),
  fc.boolean().map(
    (paid): Act =>
      (world) =>
        world.renew(paid),
  ),
  fc.boolean().map(
    (paid): Act =>
      (world) =>
        world.settle(paid),
  ),
  fc.integer({ min: 1, max: 40 }).map(
    (days): Act =>
      (world) =>
        world.wait(days),
  ),
);

/** A bill from a random walk. Refused commands change nothing. */
function walked(
  acts: readonly Act[],
  userId: string,
  currency: string,
): readonly (readonly [at: string, event: BillingEvent])[] {
  const world = createWorld();
  let state: BillingState = billingDecider.initialState();
  const events: (readonly [string, BillingEvent])[] = [];
  for (const each of acts) {
    for (const command of each(world)) {
      try {
        for (const event of billingDecider.decide(command, state)) {
          state = billingDecider.evolve(state, event);
          events.push([
            world.now(),
            JSON.parse(
              JSON.stringify(event)
                .replaceAll('"usd"', `"${currency}"`)
                .replaceAll('"user-1"', `"${userId}"`)
                .replaceAll(/"((?:pi|in|sub|re|dp)_\d+)"/g, `"$1_${userId}"`),
            ) as BillingEvent,
          ]);
        }
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
    }
  }
  return events;
}

/** As users and admins see the bills: income and refunds, by currency. */
function shownSums(events: readonly Recorded<BillingEvent>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const document of Object.values(fold(billing, events))) {
    if (document.kind !== 'change') continue;
    const { type, amount, currency } = presentTransaction(document);
    if (type !== 'usage' && currency !== null) sums[currency] = (sums[currency] ?? 0) + amount;
  }
  return sums;
}

describe('after any history', () => {
  it(`the revenue is the sum of all bills, in each currency and by every step (${RUNS} histories, seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    fc.assert(
      fc.property(
        fc.array(act, { minLength: 5, maxLength: 60 }),
        fc.array(act, { minLength: 5, maxLength: 60 }),
        (one, other) => {
          const all = [...walked(one, 'user-1', 'usd'), ...walked(other, 'user-2', 'eur')].sort(([a], [b]) =>
            a < b ? -1 : a > b ? 1 : 0,
          );
          const events = all.map(
            ([at, event], nth) =>
              ({
                ...event,
                id: `event-${nth}`,
                stream: `billing-${event.data.userId}`,
                revision: BigInt(nth),
                position: String(nth + 1).padStart(20, '0'),
                metadata: metadataAt(at),
              }) as Recorded<BillingEvent>,
          );
          const state = events
            .filter(({ type }) => revenue.types.includes(type))
            .reduce((folded, event) => revenue.evolve(folded, event), revenue.initial());
          const shown = shownSums(events);
          const net = (by: 'day' | 'week' | 'month', name: string) => {
            const sums: Record<string, number> = {};
            const rows =
              revenue.tables(state, { from: null, to: null, by, asOf: NOW }).find((table) => table.name === name)
                ?.rows ?? [];
            for (const row of rows) sums[String(row.currency)] = (sums[String(row.currency)] ?? 0) + Number(row.net);
            return sums;
          };
          const withMoney = (sums: Record<string, number>) =>
            Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
          for (const by of ['day', 'week', 'month'] as const) {
            expect(withMoney(net(by, 'over-time'))).toEqual(withMoney(shown));
            expect(withMoney(net(by, 'by-plan-over-time'))).toEqual(withMoney(shown));
          }
          expect(withMoney(net('month', 'by-plan'))).toEqual(withMoney(shown));
          // The final recurring revenue equals the subscriptions of the bills.
          for (const [currency, acts] of [
            ['usd', one],
            ['eur', other],
          ] as const) {
            const bill = walked(acts, 'user', currency).reduce(
              (folded, [, event]) => billingDecider.evolve(folded, event),
              billingDecider.initialState(),
            );
            const due = bill.subscriptions
              .filter(({ status }) => status === 'active' || status === 'past_due')
              .reduce((sum, { price }) => sum + price, 0);
            const rows =
              revenue
                .tables(state, { ...ALL, asOf: NOW })
                .find(({ name }) => name === 'recurring')
                ?.rows.filter((row) => row.currency === currency) ?? [];
            expect(rows.at(-1)?.closing ?? 0).toBe(due);
            for (const [nth, row] of rows.entries()) expect(row.opening).toBe(rows[nth - 1]?.closing ?? 0);
          }
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
