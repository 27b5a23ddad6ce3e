/** What pays for an analysis, and how much of it there is. */
import type { JobAccess } from '../../model/jobs.ts';
import type { Money } from '../../model/purchase.ts';
import { periodOf, usedOf } from './billing.ts';
import type { PaidFrom, Taken } from './events.ts';
import type { BillingState } from './ledger.ts';
import { timesIn } from './money.ts';
import { currentSubscription, planLeft, planPeriod, type Subscription } from './subscription.ts';

/** Of what a state is to be told; what a read model keeps will do. */
export type Balances = Pick<BillingState, 'months' | 'credits' | 'funds' | 'subscriptions'>;

export type Terms = {
  /** Free analyses a calendar month. */
  readonly allowance: number;
  readonly isAdmin: boolean;
  /** Of one report. Null while it is not known: then funds pay for nothing. */
  readonly price: Money | null;
  /** UTC ISO. */
  readonly at: string;
};

export type Source = {
  readonly from: PaidFrom;
  readonly access: JobAccess;
  readonly left: (terms: Terms, balances: Balances) => number;
  /** What one analysis takes; `nth` (from 1) of those that are taken at once. */
  readonly taken: (terms: Terms, balances: Balances, nth: number) => Omit<Taken, 'from' | 'period'>;
};

/** In the order in which they are drawn on. */
const SOURCES: readonly Source[] = [
  { from: 'admin', access: 'full', left: ({ isAdmin }) => (isAdmin ? Number.POSITIVE_INFINITY : 0), taken: () => ({}) },
  { from: 'plan', access: 'full', left: planAnalyses, taken: fromPlan },
  { from: 'credits', access: 'full', left: (_, { credits }) => Math.max(0, credits), taken: (_, { credits }, nth) => ({ balance: credits - nth }) },
  { from: 'funds', access: 'full', left: fundedReports, taken: fromFunds },
  {
    from: 'free_allowance',
    access: 'preview',
    left: ({ allowance, at }, balances) => Math.max(0, allowance - usedOf(balances, periodOf(at), 'free_allowance')),
    taken: () => ({}),
  },
];

type Available = { readonly source: Source; readonly left: number };

/** Every source with what is left of it. `full`: without what pays for previews alone. */
export function sourcesOf(terms: Terms, balances: Balances, access?: 'full'): readonly Available[] {
  return SOURCES.filter((source) => access === undefined || source.access === access).map((source) => ({ source, left: source.left(terms, balances) }));
}

/** What the next analysis is taken from; null when nothing is left. */
export function nextSource(terms: Terms, balances: Balances): Source | null {
  return sourcesOf(terms, balances).find(({ left }) => left > 0)?.source ?? null;
}

/** Analyses of the plan that are taken in its present period. */
export function planUsed(balances: Pick<Balances, 'months'>, { subscriptionId, periodStart }: Subscription): number {
  return usedOf(balances, planPeriod(subscriptionId, periodStart), 'plan');
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
