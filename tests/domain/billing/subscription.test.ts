import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BillingCommand } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';
import { planUsed, sourcesOf } from '../../../src/domain/billing/sources.ts';
import { currentSubscription, hasRights, subscriptionStatusOf } from '../../../src/domain/billing/subscription.ts';
import { BUYER, billed, NOW, periodStart, subscribed, told } from '../../given/billing/facts.ts';
import { runs } from '../../given/fullForm.ts';

const SEED = 20261124;

const of = (...told_: readonly ProviderSubscription[]) => billed(...told_.map((each) => told(each)));
const planLeft = (state: BillingState, at: string): number =>
  sourcesOf({ allowance: 0, isAdmin: false, price: null, at }, state).find(({ source }) => source.from === 'plan')
    ?.left ?? 0;
const reserve = (jobId: string, at: string): BillingCommand => ({
  type: 'ReserveAnalyses',
  userId: BUYER,
  jobIds: [jobId],
  batchId: jobId,
  allowance: 0,
  isAdmin: false,
  at,
});

describe('a subscription', () => {
  it('starts with its payment and provides its audits', () => {
    const { events, state } = of(subscribed());
    expect(events).toEqual([
      {
        type: 'SubscriptionStarted',
        data: {
          userId: BUYER,
          subscriptionId: 'sub_1',
          asOf: periodStart(0),
          tier: 'tier2',
          status: 'active',
          price: 7_900,
          currency: 'usd',
          monthly: 7_900,
          productId: 'prod_tier2',
          periodStart: periodStart(0),
          periodEnd: periodStart(1),
          startedAt: NOW,
          paid: {
            invoiceId: 'in_sub_1_0',
            number: 'A-0001',
            paymentIntentId: 'pi_sub_1_0',
            amount: 7_900,
            currency: 'usd',
            listAmount: 7_900,
          },
        },
      },
    ]);
    expect(planLeft(state, NOW)).toBe(3);
  });

  it('is recorded once, however often it is reported', () =>
    expect(of(subscribed(), subscribed(), subscribed()).types).toEqual(['Started']));

  it('leaves nothing behind when it was never paid', () => {
    expect(
      of(subscribed({ status: 'inactive', paid: null }), subscribed({ status: 'canceled', paid: false })).types,
    ).toEqual([]);
  });

  it('is recorded with its payment when it began and ended unseen', () =>
    expect(of(subscribed({ status: 'canceled' })).types).toEqual(['Started', 'Ended']));

  it('has its audits again in each paid period, and not before', () => {
    const late = '2026-04-06T00:00:00.000Z';
    const used = [told(subscribed({ tier: 'tier1' })), reserve('a', NOW)];
    const unpaid = billed(...used, told(subscribed({ tier: 'tier1', nth: 1, paid: null })));
    expect(unpaid.types.slice(2)).toEqual([]);
    expect(planLeft(unpaid.state, late)).toBe(0);
    const paid = billed(...used, told(subscribed({ tier: 'tier1', nth: 1 })));
    expect(paid.types.slice(2)).toEqual(['Renewed']);
    expect(planLeft(paid.state, late)).toBe(1);
  });

  it('keeps what is used when upgraded, and records the payment', () => {
    const invoice = { ...subscribed().invoice!, invoiceId: 'in_up', amount: 9_000, reason: 'change' as const };
    const upgrade = subscribed({ tier: 'tier3', price: 19_900, asOf: NOW });
    const { events, state } = billed(told(subscribed()), reserve('a', NOW), told({ ...upgrade, invoice }));
    expect(events.slice(2)).toMatchObject([
      {
        type: 'SubscriptionChanged',
        data: { formerTier: 'tier2', tier: 'tier3', paid: { invoiceId: 'in_up', amount: 9_000 } },
      },
    ]);
    expect(planUsed(state, state.subscriptions[0]!)).toBe(1);
    expect(planLeft(state, NOW)).toBe(9);
  });

  it('is downgraded at its renewal; until then the change can be undone', () => {
    const pending = { tier: 'tier1' as const, at: periodStart(1) };
    const scheduled = subscribed({ pending, asOf: NOW });
    expect(of(subscribed(), scheduled, scheduled).types).toEqual(['Started', 'ChangeScheduled']);
    expect(of(subscribed(), scheduled, subscribed({ asOf: NOW })).types).toEqual([
      'Started',
      'ChangeScheduled',
      'ChangeUndone',
    ]);
    const renewed = of(subscribed(), scheduled, subscribed({ tier: 'tier1', nth: 1 }));
    expect(renewed.types).toEqual(['Started', 'ChangeScheduled', 'Renewed']);
    expect(renewed.state.subscriptions).toMatchObject([{ tier: 'tier1', pending: null }]);
  });

  it('keeps everything until its period ends when cancelled, and can be resumed until then', () => {
    const cancelled = subscribed({ cancelsAt: periodStart(1), asOf: NOW });
    const { types, state } = of(subscribed(), cancelled);
    expect(types).toEqual(['Started', 'CancelScheduled']);
    expect(planLeft(state, '2026-04-04T23:59:59.999Z')).toBe(3);
    // Even when its end has not been reported yet.
    expect(planLeft(state, periodStart(1))).toBe(0);
    expect(of(subscribed(), cancelled, subscribed({ asOf: NOW })).types).toEqual([
      'Started',
      'CancelScheduled',
      'Reactivated',
    ]);
  });

  it('provides nothing after its end and never comes back; another may begin', () => {
    const ended = subscribed({ status: 'canceled', endedAt: NOW, asOf: NOW });
    const { types, state } = of(
      subscribed(),
      ended,
      subscribed({ nth: 1 }),
      subscribed({ nth: 1, asOf: '2027-01-01T00:00:00.000Z' }),
    );
    expect(types).toEqual(['Started', 'Ended']);
    expect(planLeft(state, NOW)).toBe(0);
    const next = of(subscribed(), ended, subscribed({ subscriptionId: 'sub_2' }), ended);
    expect(next.types).toEqual(['Started', 'Ended', 'Started']);
    expect(next.state.subscriptions.map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_2']);
  });
});

describe('a failed subscription payment', () => {
  const failed = (status: 'past_due' | 'unpaid' = 'past_due') => subscribed({ nth: 1, paid: false, status });
  const inGrace = '2026-04-11T23:59:59.999Z';
  const afterGrace = '2026-04-12T00:00:00.000Z';

  it('leaves a grace of seven days, in the unpaid period', () => {
    const { events, state } = of(subscribed(), failed(), failed());
    expect(events.slice(1)).toMatchObject([
      { type: 'SubscriptionPaymentFailed', data: { invoiceId: 'in_sub_1_1', amount: 7_900, graceEndsAt: afterGrace } },
    ]);
    expect(planLeft(state, inGrace)).toBe(3);
    expect(planLeft(state, afterGrace)).toBe(0);
  });

  it('leaves nothing due when paid later; what was used meanwhile counts', () => {
    const { types, state } = billed(
      told(subscribed()),
      told(failed()),
      reserve('a', inGrace),
      told(subscribed({ nth: 1 })),
    );
    expect(types).toEqual(['Started', 'PaymentFailed', 'AnalysisReserved', 'Renewed']);
    expect(state.subscriptions).toMatchObject([{ status: 'active', graceEndsAt: null }]);
    expect(planLeft(state, afterGrace)).toBe(2);
  });

  it('does not extend the grace with each unpaid invoice', () => {
    const { state } = of(subscribed(), failed(), subscribed({ nth: 2, paid: false, status: 'past_due' }));
    expect(state.subscriptions).toMatchObject([{ graceEndsAt: afterGrace }]);
  });

  it('ends all rights when the grace is over', () => {
    const { types, state } = of(subscribed(), failed(), failed('unpaid'));
    expect(types).toEqual(['Started', 'PaymentFailed', 'StatusChanged']);
    expect(planLeft(state, inGrace)).toBe(0);
  });

  it('has a grace even if its subscription is not known', () => {
    const { types, state } = of(subscribed(), subscribed({ status: 'past_due', asOf: NOW }));
    expect(types).toEqual(['Started', 'StatusChanged']);
    expect(hasRights(state.subscriptions[0]!, '2026-03-17T11:59:59.999Z')).toBe(true);
    expect(hasRights(state.subscriptions[0]!, '2026-03-17T12:00:00.000Z')).toBe(false);
  });
});

describe('a report of the provider', () => {
  it('changes nothing if older than what is known', () => {
    const now = of(
      subscribed(),
      subscribed({ tier: 'tier3', asOf: NOW }),
      subscribed({ tier: 'tier1', asOf: '2026-03-09T00:00:00.000Z' }),
    );
    expect(now.types).toEqual(['Started', 'Changed']);
    expect(of(subscribed({ nth: 1 }), subscribed({ asOf: '2027-01-01T00:00:00.000Z' })).types).toEqual(['Started']);
  });

  it('is recorded for an old invoice, and moves nothing back', () => {
    const missed = subscribed({ nth: 1 }).invoice!;
    const invoice: BillingCommand = {
      type: 'RecordInvoice',
      userId: BUYER,
      subscriptionId: 'sub_1',
      tier: 'tier2',
      productId: 'prod_tier2',
      price: 7_900,
      invoice: missed,
      asOf: NOW,
      at: NOW,
    };
    const { types, state } = billed(told(subscribed()), told(subscribed({ nth: 2 })), invoice, invoice);
    expect(types).toEqual(['Started', 'Renewed', 'Renewed']);
    expect(state.subscriptions).toMatchObject([{ periodStart: periodStart(2) }]);
    expect(() => billed(invoice)).toThrow(expect.objectContaining({ code: 'SUBSCRIPTION_UNKNOWN' }));
  });

  it(`leads to the same end in any order and however often (seed ${SEED})`, () => {
    const life = [
      subscribed(),
      subscribed({ tier: 'tier3', asOf: '2026-03-08T00:00:00.000Z' }),
      subscribed({ tier: 'tier3', pending: { tier: 'tier1', at: periodStart(1) }, asOf: '2026-03-09T00:00:00.000Z' }),
      subscribed({ tier: 'tier1', nth: 1 }),
      subscribed({ tier: 'tier1', nth: 2, paid: false, status: 'past_due' }),
      subscribed({ tier: 'tier1', nth: 2, asOf: '2026-05-07T00:00:00.000Z' }),
      subscribed({ tier: 'tier1', nth: 2, cancelsAt: periodStart(3), asOf: '2026-05-20T00:00:00.000Z' }),
      subscribed({ tier: 'tier1', nth: 2, status: 'canceled', asOf: periodStart(3), endedAt: periodStart(3) }),
    ];
    const end = (state: BillingState) => ({ ...state.subscriptions[0], asOf: null, graceEndsAt: null });
    const upTo = fc.integer({ min: 1, max: life.length });
    fc.assert(
      fc.property(
        upTo.chain((length) =>
          fc
            .shuffledSubarray([...life.slice(0, length), ...life.slice(0, length)], {
              minLength: length,
              maxLength: 2 * length,
            })
            .map((told_) => ({ length, told_ })),
        ),
        ({ length, told_ }) => {
          // The newest is applied in any case, as a comparison with the provider does in the end.
          const newest = life[length - 1]!;
          const { state, events } = of(...told_, newest, newest);
          expect(end(state)).toMatchObject({
            tier: newest.tier,
            status: newest.status,
            periodStart: newest.periodStart,
          });
          const invoices = events.flatMap(({ data }) => ('paid' in data && data.paid ? [data.paid.invoiceId] : []));
          expect(new Set(invoices).size).toBe(invoices.length);
          const { asOf: _, ...final } = state.subscriptions[0]!;
          const { asOf: __, ...straight } = of(...life.slice(0, length)).state.subscriptions[0]!;
          if (newest.status === 'active')
            expect({ ...final, failedInvoiceId: null }).toEqual({ ...straight, failedInvoiceId: null });
        },
      ),
      { seed: SEED, numRuns: runs(2_000) },
    );
  });

  it('has its status translated; an unknown status gives no rights', () => {
    expect(
      [
        'active',
        'trialing',
        'past_due',
        'canceled',
        'unpaid',
        'incomplete',
        'incomplete_expired',
        'paused',
        'new',
        'constructor',
      ].map(subscriptionStatusOf),
    ).toEqual([
      'active',
      'trialing',
      'past_due',
      'canceled',
      'unpaid',
      'inactive',
      'canceled',
      'inactive',
      'inactive',
      'inactive',
    ]);
  });
});

describe('the current subscription', () => {
  it('is the best of those with rights, else the last', () => {
    const { state } = of(
      subscribed({ subscriptionId: 'sub_1', tier: 'tier3' }),
      subscribed({ subscriptionId: 'sub_2', tier: 'tier1' }),
    );
    expect(currentSubscription(state.subscriptions, NOW)?.subscriptionId).toBe('sub_1');
    expect(currentSubscription([], NOW)).toBeNull();
  });
});

describe('a comparison with the provider', () => {
  const sync = (outcome: 'in_step' | 'late' | 'failed', asked = false): BillingCommand => ({
    type: 'RecordSync',
    userId: BUYER,
    outcome,
    asked,
    at: NOW,
  });
  it('is recorded when it was requested, or when its outcome is new', () => {
    expect(
      billed(sync('in_step'), sync('failed'), sync('failed'), sync('in_step'), sync('in_step', true)).events.map(
        ({ data }) => (data as { outcome: string }).outcome,
      ),
    ).toEqual(['failed', 'in_step', 'in_step']);
  });
});
