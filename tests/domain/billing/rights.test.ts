/** Rights follow money: suspension, the audits of a late upgrade, and plans whose product is none of ours. */
import { describe, expect, it } from 'vitest';
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';
import { nextSource, sourcesOf } from '../../../src/domain/billing/sources.ts';
import { tierAt } from '../../../src/domain/billing/subscription.ts';
import { BUYER, billed, granted, NOW, periodStart, subscribed, told } from '../../given/billing/facts.ts';

const planLeft = (state: BillingState, at = NOW): number =>
  sourcesOf({ allowance: 1, isAdmin: false, price: null, at }, state).find(({ source }) => source.from === 'plan')
    ?.left ?? 0;

const ofPlan = { userId: BUYER, currency: 'usd', purpose: 'subscription', at: NOW } as const;
const dispute = (
  status: 'open' | 'won' | 'lost',
  paymentIntentId = 'pi_sub_1_0',
  disputeId = `dp_${paymentIntentId}`,
): BillingCommand => ({ ...ofPlan, type: 'RecordDispute', disputeId, paymentIntentId, amount: 7_900, status });
const refund = (amount: number, paymentIntentId = 'pi_sub_1_0', refundId = `re_${amount}`): BillingCommand => ({
  ...ofPlan,
  type: 'RecordRefund',
  refundId,
  paymentIntentId,
  amount,
});
const resume: BillingCommand = { type: 'ResumeSubscription', userId: BUYER, noteId: 'note-1', at: NOW };
const started = told(subscribed());

describe('a disputed payment of a plan', () => {
  it('puts what the period bought on hold, and leaves everything else', () => {
    const { events, state } = billed(started, granted('g-1', 1), dispute('open'));
    expect(events.at(-1)).toEqual({
      type: 'SubscriptionSuspended',
      data: {
        userId: BUYER,
        subscriptionId: 'sub_1',
        reason: 'disputed',
        paymentIntentId: 'pi_sub_1_0',
        disputeId: 'dp_pi_sub_1_0',
        suspendedAt: NOW,
      },
    });
    expect(planLeft(state)).toBe(0);
    expect(tierAt(state.subscriptions, NOW)).toBe('free');
    expect(state.subscriptions).toMatchObject([{ status: 'active', tier: 'tier2' }]);
    expect(nextSource({ allowance: 1, isAdmin: false, price: null, at: NOW }, state)?.from).toBe('credits');
  });

  it('counts once, however often it is reported, and stays when it is lost', () => {
    const { types, state } = billed(started, dispute('open'), dispute('open'), dispute('lost'), dispute('lost'));
    expect(types).toEqual(['Started', 'DisputeOpened', 'Suspended', 'DisputeLost']);
    expect(planLeft(state)).toBe(0);
  });

  it('gives the rights back when it is won', () => {
    const { types, state } = billed(started, dispute('open'), dispute('won'));
    expect(types).toEqual(['Started', 'DisputeOpened', 'Suspended', 'DisputeWon', 'Resumed']);
    expect(planLeft(state)).toBe(3);
  });

  it('that is first reported when it is over takes nothing if won, and the rights if lost', () => {
    expect(billed(started, dispute('won')).types).toEqual(['Started', 'DisputeOpened', 'DisputeWon']);
    expect(billed(started, dispute('lost')).types).toEqual(['Started', 'DisputeOpened', 'Suspended', 'DisputeLost']);
  });

  it('of two, both must be won', () => {
    const second = told(subscribed({ nth: 1 }));
    const both = [started, second, dispute('open'), dispute('open', 'pi_sub_1_1')];
    expect(billed(...both, dispute('won')).types.at(-1)).toBe('DisputeWon');
    expect(billed(...both, dispute('won'), dispute('won', 'pi_sub_1_1')).types.at(-1)).toBe('Resumed');
  });

  it('that is reported before the payment itself counts from the payment on', () => {
    expect(billed(dispute('open'), started).types).toEqual(['DisputeOpened', 'Started', 'Suspended']);
    expect(billed(dispute('open'), dispute('won'), started).types).toEqual(['DisputeOpened', 'DisputeWon', 'Started']);
  });

  it('of a plan that has ended changes nothing', () =>
    expect(billed(started, told(subscribed({ status: 'canceled', asOf: NOW })), dispute('open')).types).toEqual([
      'Started',
      'Ended',
      'DisputeOpened',
    ]));
});

describe('a refund of a plan', () => {
  it('puts it on hold once the current payment is refunded in full', () => {
    const part = billed(started, refund(7_000));
    expect(part.types).toEqual(['Started', 'PaymentRefunded']);
    const whole = billed(started, refund(7_000), refund(900));
    expect(whole.types).toEqual(['Started', 'PaymentRefunded', 'PaymentRefunded', 'Suspended']);
    expect(planLeft(whole.state)).toBe(0);
  });

  it('of an earlier period takes nothing', () =>
    expect(billed(started, told(subscribed({ nth: 1 })), refund(7_900)).types).toEqual([
      'Started',
      'Renewed',
      'PaymentRefunded',
    ]));

  it('that is reported before the payment itself counts from the payment on', () =>
    expect(billed(refund(7_900), started).types).toEqual(['PaymentRefunded', 'Started', 'Suspended']));
});

describe('a plan on hold', () => {
  it('goes on with the next paid period, not with an older invoice', () => {
    const held = [started, told(subscribed({ nth: 1 })), dispute('open', 'pi_sub_1_1')];
    const late = subscribed({ nth: 0 }).invoice!;
    const older: BillingCommand = {
      type: 'RecordInvoice',
      userId: BUYER,
      subscriptionId: 'sub_1',
      tier: 'tier2',
      productId: 'prod_tier2',
      price: 7_900,
      invoice: { ...late, invoiceId: 'in_late', paymentIntentId: 'pi_late' },
      asOf: NOW,
      at: NOW,
    };
    expect(billed(...held, older).types.at(-1)).toBe('Renewed');
    const { types, state } = billed(...held, told(subscribed({ nth: 2 })));
    expect(types.slice(-2)).toEqual(['Renewed', 'Resumed']);
    expect(planLeft(state, periodStart(2))).toBe(3);
    // The dispute of the former period no longer matters.
    expect(billed(...held, told(subscribed({ nth: 2 })), dispute('lost', 'pi_sub_1_1')).types.at(-1)).toBe(
      'DisputeLost',
    );
  });

  it('goes on when an admin says so, for the reason in a note', () => {
    const { events, state } = billed(started, dispute('open'), resume);
    expect(events.at(-1)?.data).toMatchObject({ reason: 'admin', noteId: 'note-1' });
    expect(planLeft(state)).toBe(3);
    expect(() => billed(started, resume)).toThrow(expect.objectContaining({ code: 'NOT_SUSPENDED' }));
  });

  it('can still be canceled at the provider, and shows what happens there', () => {
    const { types } = billed(
      started,
      dispute('open'),
      told(subscribed({ cancelsAt: periodStart(1), asOf: NOW })),
      told(subscribed({ status: 'canceled', asOf: NOW })),
    );
    expect(types.slice(-2)).toEqual(['CancelScheduled', 'Ended']);
  });
});

describe('the audits of a late upgrade', () => {
  const start = Date.parse(periodStart(0));
  const length = Date.parse(periodStart(1)) - start;
  /** After that share of the period. */
  const momentAt = (share: number): string => new Date(start + length * share).toISOString();
  const upgraded = (
    tier: 'tier1' | 'tier3' | 'tier4',
    at: string,
    from: ProviderSubscription = subscribed(),
    paid = true,
  ): BillingCommand => {
    const { periodStart: begins, periodEnd } = from;
    const bill = {
      ...subscribed().invoice!,
      invoiceId: `in_${tier}`,
      paymentIntentId: `pi_${tier}`,
      reason: 'change' as const,
    };
    const invoice = paid ? { ...bill, periodStart: begins, periodEnd, from: at } : from.invoice;
    return told({ ...from, tier, invoice, asOf: at }, at);
  };
  const limit = ({ state }: { readonly state: BillingState }) => planLeft(state, momentAt(0.999));

  it.each([
    [0, 50],
    [0.5, 27],
    [0.9, 8],
    [0.999_999, 4],
  ])('after %d of the period are the old ones and the paid share of the difference: %d', (share, left) => {
    const made = billed(started, upgraded('tier4', momentAt(share)));
    expect(limit(made)).toBe(left);
    const { data } = made.events.at(-1) as Extract<BillingEvent, { readonly type: 'SubscriptionChanged' }>;
    expect(data.limit ?? 50).toBe(left);
  });

  it('add up over several upgrades, never beyond the tier', () => {
    const first = told(subscribed({ tier: 'tier1' }));
    const twice = billed(
      first,
      upgraded('tier3', momentAt(0.5), subscribed({ tier: 'tier1' })),
      upgraded('tier4', momentAt(0.75)),
    );
    // 1 + ceil(9 × 0.5), then + ceil(40 × 0.25).
    expect(limit(twice)).toBe(6 + 10);
  });

  it('do not grow by going up late and down again', () => {
    const up = billed(started, upgraded('tier4', momentAt(0.9)));
    expect(limit(up)).toBe(8);
    const down = billed(
      started,
      upgraded('tier4', momentAt(0.9)),
      upgraded('tier3', momentAt(0.91), subscribed(), false),
    );
    expect(limit(down)).toBe(8);
  });

  it('are the tier’s from the next paid period on', () => {
    const { state } = billed(started, upgraded('tier4', momentAt(0.9)), told(subscribed({ tier: 'tier4', nth: 1 })));
    expect(planLeft(state, periodStart(1))).toBe(50);
  });

  it('are the tier’s in a period that an earlier version recorded', () => {
    const { events } = billed(started);
    const old = events.map((event) => {
      if (event.type !== 'SubscriptionStarted') return event;
      const { productId: _, monthly: __, ...data } = event.data;
      return { ...event, data };
    });
    const { initialState, evolve, decide } = billingDecider;
    const before = old.reduce(evolve, initialState());
    const state = decide(upgraded('tier4', momentAt(0.9)), before).reduce(evolve, before);
    expect(limit({ state })).toBe(50);
  });
});

describe('a plan whose product is none of ours', () => {
  const moved = (more: Parameters<typeof subscribed>[0] = {}) =>
    told(subscribed({ tier: null, productId: 'prod_new', price: 9_900, asOf: NOW, ...more }));

  it('keeps the former tier, and says so once', () => {
    const { events, types, state } = billed(started, moved(), moved());
    expect(types).toEqual(['Started', 'StatusChanged']);
    expect(events.at(-1)?.data).toMatchObject({ status: 'active', unknownPlan: true, productId: 'prod_new' });
    expect(state.subscriptions).toMatchObject([{ tier: 'tier2', isUnknownPlan: true, productId: 'prod_new' }]);
    expect(planLeft(state)).toBe(3);
  });

  it('is renewed, canceled, overdue and ended as at the provider', () => {
    const renewed = billed(started, moved(), moved({ nth: 1, asOf: periodStart(1) }));
    expect(renewed.types).toEqual(['Started', 'StatusChanged', 'Renewed']);
    expect(renewed.state.subscriptions).toMatchObject([{ tier: 'tier2', price: 9_900, periodStart: periodStart(1) }]);
    expect(billed(started, moved({ cancelsAt: periodStart(1) })).types).toEqual([
      'Started',
      'CancelScheduled',
      'StatusChanged',
    ]);
    const overdue = moved({ nth: 1, paid: false, status: 'past_due', asOf: periodStart(1) });
    expect(billed(started, moved(), overdue).types.at(-1)).toBe('PaymentFailed');
    const ended = billed(started, moved(), moved({ status: 'canceled' }));
    expect(ended.types.at(-1)).toBe('Ended');
    expect(planLeft(ended.state)).toBe(0);
  });

  it('is one of ours again when its product is', () => {
    const { types, state } = billed(started, moved(), told(subscribed({ tier: 'tier3', asOf: NOW })));
    expect(types).toEqual(['Started', 'StatusChanged', 'Changed', 'StatusChanged']);
    expect(state.subscriptions).toMatchObject([{ tier: 'tier3', isUnknownPlan: false }]);
  });

  it('leaves no trace where no bill knows it', () => expect(billed(moved(), moved({ nth: 1 })).types).toEqual([]));

  it('has its late invoices recorded, even after its end', () => {
    const invoice = { ...subscribed({ nth: 1 }).invoice!, invoiceId: 'in_late', paymentIntentId: 'pi_late' };
    const late: BillingCommand = {
      type: 'RecordInvoice',
      userId: BUYER,
      subscriptionId: 'sub_1',
      tier: null,
      productId: 'prod_new',
      price: 9_900,
      invoice,
      asOf: NOW,
      at: NOW,
    };
    const end = told(subscribed({ status: 'canceled', asOf: NOW }));
    const next = subscribed({ subscriptionId: 'sub_2', nth: 2 });
    const { events } = billed(started, end, told(next), late);
    expect(events.at(-1)).toMatchObject({
      type: 'SubscriptionRenewed',
      data: { tier: 'tier2', productId: 'prod_new' },
    });
  });
});

describe('a plan that the provider does not have', () => {
  const lost: BillingCommand = { type: 'RecordLostSubscription', userId: BUYER, subscriptionId: 'sub_1', at: NOW };
  it('has ended, once', () => {
    expect(billed(started, lost, lost).types).toEqual(['Started', 'Ended']);
    expect(billed(lost).types).toEqual([]);
  });
});
