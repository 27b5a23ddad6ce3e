/** What pays for an audit, and how much of it is left. */
import type { JobAccess } from '../../model/jobs.ts';
import type { Money } from '../../model/purchase.ts';
import { periodOf, usedOf } from './billing.ts';
import type { PaidFrom, Taken } from './events.ts';
import type { BillingState } from './ledger.ts';
import { timesIn } from './money.ts';
import { currentSubscription, planLeft, planPeriod, type Subscription } from './subscription.ts';

/** The parts of a state that are needed here; a read model's document works too. */
export type Balances = Pick<BillingState, 'months' | 'credits' | 'funds' | 'subscriptions'>;

export type Terms = {
  /** Free audits per calendar month. */
  readonly allowance: number;
  readonly isAdmin: boolean;
  /** The account must prove its email address before it gets more free audits than its first. */
  readonly onlyFirstFree?: boolean;
  /** Price of one report. Null while unknown: funds then pay for nothing. */
  readonly price: Money | null;
  /** UTC ISO. */
  readonly at: string;
};

export type Source = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  readonly left: (terms: Terms, balances: Balances) => number;
  /** What one audit takes; `nth` (from 1) counts audits taken together. */
  readonly taken: (terms: Terms, balances: Balances, nth: number) => Omit<Taken, 'from' | 'period'>;
};

/** In the order they are used. */
const SOURCES: readonly Source[] = [
  { from: 'admin', access: 'full', left: ({ isAdmin }) => (isAdmin ? Number.POSITIVE_INFINITY : 0), taken: () => ({}) },
  { from: 'plan', access: 'full', left: planAnalyses, taken: fromPlan },
  {
    from: 'credits',
    access: 'full',
    left: (_, { credits }) => Math.max(0, credits),
    taken: (_, { credits }, nth) => ({ balance: credits - nth }),
  },
  { from: 'funds', access: 'full', left: fundedReports, taken: fromFunds },
  {
    from: 'free_allowance',
    access: 'preview',
    left: freeAnalyses,
    taken: () => ({}),
  },
];

type Available = { readonly source: Source; readonly left: number };

/** Every source with what is left of it. `full`: excludes sources that pay only for previews. */
export function sourcesOf(terms: Terms, balances: Balances, access?: 'full'): readonly Available[] {
  return SOURCES.filter((source) => access === undefined || source.access === access).map((source) => ({
    source,
    left: source.left(terms, balances),
  }));
}

/** The source for the next audit; null when nothing is left. */
export function nextSource(terms: Terms, balances: Balances): Source | null {
  return sourcesOf(terms, balances).find(({ left }) => left > 0)?.source ?? null;
}

/** Audits of the plan used in its current period. */
export function planUsed(balances: Pick<Balances, 'months'>, { subscriptionId, periodStart }: Subscription): number {
  return usedOf(balances, planPeriod(subscriptionId, periodStart), 'plan');
}

function freeAnalyses({ allowance, onlyFirstFree, at }: Terms, balances: Balances): number {
  const left = Math.max(0, allowance - usedOf(balances, periodOf(at), 'free_allowance'));
  if (!onlyFirstFree) return left;
  const usedEver = balances.months.reduce((sum, { used }) => sum + (used.free_allowance ?? 0), 0);
  return usedEver > 0 ? 0 : Math.min(left, 1);
}

function planAnalyses({ at }: Terms, balances: Balances): number {
  const subscription = currentSubscription(balances.subscriptions, at);
  return subscription ? planLeft(subscription, planUsed(balances, subscription), at) : 0;
}

function fromPlan({ at }: Terms, { subscriptions }: Balances): Omit<Taken, 'from' | 'period'> {
  const subscription = currentSubscription(subscriptions, at);
  return subscription ? { subscriptionId: subscription.subscriptionId, periodStart: subscription.periodStart } : {};
}

function fundedReports({ price }: Terms, { funds }: Balances): number {
  return price && price.currency === funds.currency ? timesIn(funds.amount, price.amount) : 0;
}

function fromFunds({ price }: Terms, { funds }: Balances, nth: number): Omit<Taken, 'from' | 'period'> {
  return price ? { amount: price.amount, currency: price.currency, balance: funds.amount - nth * price.amount } : {};
}
