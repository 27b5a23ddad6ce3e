/** Answers of a provider, for tests of the bill: paid reports, and the state of subscriptions. */
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';

type Of<Type extends BillingCommand['type']> = Extract<BillingCommand, { readonly type: Type }>;

export const BUYER = 'user-1';
export const NOW = '2026-03-10T12:00:00.000Z';
export const REPORT = { amount: 5_000, currency: 'usd' } as const;

export const bought = (paymentIntentId: string, more: Partial<Of<'AddFunds'>> = {}): Of<'AddFunds'> => ({
  type: 'AddFunds',
  userId: BUYER,
  paymentIntentId,
  quantity: 1,
  amount: 5_000,
  funds: 5_000,
  currency: 'usd',
  at: NOW,
  ...more,
});

export const granted = (grantId: string, credits: number): Of<'GrantCredits'> => ({
  type: 'GrantCredits',
  userId: BUYER,
  grantId,
  credits,
  noteId: 'note-1',
  at: NOW,
});

export const refunded = (refundId: string, paymentIntentId: string, amount: number): Of<'RecordRefund'> => ({
  type: 'RecordRefund',
  userId: BUYER,
  refundId,
  paymentIntentId,
  amount,
  currency: 'usd',
  purpose: 'funds',
  at: NOW,
});

export const disputed = (
  disputeId: string,
  paymentIntentId: string,
  status: 'open' | 'won' | 'lost',
  amount = 5_000,
): Of<'RecordDispute'> => ({
  type: 'RecordDispute',
  userId: BUYER,
  disputeId,
  paymentIntentId,
  amount,
  currency: 'usd',
  purpose: 'funds',
  status,
  at: NOW,
});

const monthAfter = (at: string, months = 1): string => {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate())).toISOString();
};

export const FIRST_PERIOD = '2026-03-05T00:00:00.000Z';
/** The start of the subscription's `nth` period, from 0. */
export const periodStart = (nth: number): string => monthAfter(FIRST_PERIOD, nth);

type Wish = Partial<Omit<ProviderSubscription, 'invoice'>> & {
  /** Its current period, from 0. */
  readonly nth?: number;
  /** Whether the newest invoice is paid; null: there is none. */
  readonly paid?: boolean | null;
};

/** Its state in the `nth` period, with the invoice of that period. */
export function subscribed({ nth = 0, paid = true, ...more }: Wish = {}): ProviderSubscription {
  const period = { periodStart: periodStart(nth), periodEnd: periodStart(nth + 1) };
  const { subscriptionId = 'sub_1' } = more;
  const number = `A-000${nth + 1}`;
  const bill = {
    invoiceId: `in_${subscriptionId}_${nth}`,
    number,
    paymentIntentId: `pi_${subscriptionId}_${nth}`,
    amount: 7_900,
    currency: 'usd',
    listAmount: 7_900,
    discounts: [],
  };
  const reason = nth === 0 ? 'start' : 'renewal';
  return {
    subscriptionId,
    tier: 'tier2',
    productId: 'prod_tier2',
    status: 'active',
    price: 7_900,
    currency: 'usd',
    monthly: more.price ?? 7_900,
    pending: null,
    cancelsAt: null,
    endedAt: null,
    ...period,
    invoice:
      paid === null
        ? null
        : {
            ...bill,
            ...period,
            reason,
            status: paid ? 'paid' : 'unpaid',
            at: period.periodStart,
            from: period.periodStart,
          },
    asOf: period.periodStart,
    ...more,
  };
}

export const told = (subscription: ProviderSubscription, at: string = NOW): Of<'RecordSubscription'> => ({
  type: 'RecordSubscription',
  userId: BUYER,
  subscription,
  at,
});

/** `types`: event types of subscriptions, without the prefix. */
export type Billed = {
  readonly state: BillingState;
  readonly events: readonly BillingEvent[];
  readonly types: readonly string[];
};

/** Runs all commands in order; returns the written events and the final state. */
export function billed(...commands: readonly BillingCommand[]): Billed {
  let state = billingDecider.initialState();
  const events: BillingEvent[] = [];
  for (const command of commands) {
    for (const event of billingDecider.decide(command, state)) {
      events.push(event);
      state = billingDecider.evolve(state, event);
    }
  }
  return { state, events, types: events.map(({ type }) => type.replace('Subscription', '')) };
}
