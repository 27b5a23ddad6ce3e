/**
 * The verdict on a storm of payments: payments are credited once, to their payer; reservations have ended; nobody used
 * more than they paid for. Pure.
 */
import type { Broken } from '../work/checkWork.ts';
import { jobFaults } from '../work/checkWork.ts';
import { foldPending } from '../work/workFold.ts';
import type { WorkEvent } from '../work/workLog.ts';
import type { Purchase } from './buyer.ts';
import type { PaidLine } from './provider.ts';
import type { PlanLine } from './subscriber.ts';

export type BillingFacts = {
  /** The whole log, in order. */
  readonly log: readonly WorkEvent[];
  /** The provider's payments. */
  readonly paid: readonly PaidLine[];
  /** The provider's events about them. */
  readonly paidEvents: readonly string[];
  /** The purchases that buyers paid for. */
  readonly purchases: readonly Purchase[];
  readonly jobs: Set<string>;
  readonly cancelled: Set<string>;
  /** Funds as the product shows them in the end, by user. */
  readonly shown: ReadonlyMap<string, number>;
  /** The price of one report. */
  readonly price: number;
  /** Free audits of each user. */
  readonly allowance: number;
  readonly broken: readonly Broken[];
  /** Plans as they stand at the provider in the end. */
  readonly plans: readonly PlanLine[];
};

export type BillingFigures = {
  readonly events: number;
  readonly purchases: number;
  readonly plans: number;
  /** What happened to plans at the provider. */
  readonly drills: Readonly<Record<string, number>>;
  readonly ways: Readonly<Record<string, number>>;
  /** In cents. */
  readonly granted: number;
  readonly paid: number;
  /** The recorded events of the provider, by their source. */
  readonly received: Readonly<Record<string, number>>;
  readonly analyses: { readonly reserved: number; readonly consumed: number; readonly released: number };
};

export type BillingVerdict = { readonly faults: readonly string[]; readonly figures: BillingFigures };

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Readonly<Record<string, number>> {
  return Object.fromEntries([...groupBy(all, keyOf)].map(([key, group]) => [key, group.length]));
}

/** Each of the provider's payments is in its payer's bill once, as agreed; and nothing else is. */
function grantFaults({ log, paid }: BillingFacts): readonly string[] {
  const faults: string[] = [];
  const granted = groupBy(
    log.filter(({ type }) => type === 'FundsAdded'),
    ({ data }) => String(data.paymentIntentId),
  );
  for (const { paymentIntentId, userId, amount, funds } of paid) {
    const events = granted.get(paymentIntentId) ?? [];
    if (events.length !== 1)
      faults.push(
        `payment ${paymentIntentId} of ${userId} was granted ${events.length === 0 ? 'never' : `${events.length} times`}`,
      );
    for (const { stream, data } of events) {
      if (stream !== `billing-${userId}`)
        faults.push(`payment ${paymentIntentId} of ${userId} was granted in ${stream}`);
      if (data.amount !== amount || data.funds !== funds)
        faults.push(
          `payment ${paymentIntentId} is ${amount} for ${funds} at the provider, and ${data.amount} for ${data.funds} in the bill`,
        );
    }
  }
  const known = new Set(paid.map(({ paymentIntentId }) => paymentIntentId));
  for (const id of granted.keys())
    if (!known.has(id)) faults.push(`payment ${id} was granted, and the provider has no such payment`);
  return faults;
}

/** Buyers paid the intended amount once, and saw what was added. */
function purchaseFaults({ purchases, paid }: BillingFacts): readonly string[] {
  const faults: string[] = [];
  const atProvider = new Map(paid.map((line) => [line.paymentIntentId, line]));
  for (const { paymentIntentId, userId, amount, funds, told } of purchases) {
    const line = atProvider.get(paymentIntentId);
    if (line?.userId !== userId || line.amount !== amount)
      faults.push(`purchase ${paymentIntentId} of ${userId} for ${amount} is not what the provider has`);
    if (told !== null && told !== funds)
      faults.push(`the buyer of ${paymentIntentId} was told of ${told}, and bought ${funds}`);
  }
  if (new Set(purchases.map(({ paymentIntentId }) => paymentIntentId)).size !== purchases.length)
    faults.push('two purchases were one payment');
  if (paid.length !== purchases.length) faults.push(`${purchases.length} purchases were made, and ${paid.length} paid`);
  return faults;
}

/** By user and in total: credits, purchases and payments are equal. */
function sumFaults({ log, purchases, paid }: BillingFacts): readonly string[] {
  const granted = log
    .filter(({ type }) => type === 'FundsAdded')
    .map(({ data }) => ({ userId: String(data.userId), funds: number(data.funds) }));
  const users = new Set([...granted, ...purchases, ...paid].map(({ userId }) => userId));
  const of = (lines: readonly { readonly userId: string; readonly funds: number }[], userId: string | null): number =>
    sum(lines.filter((line) => userId === null || line.userId === userId).map(({ funds }) => funds));
  return [...users, null].flatMap((userId) => {
    const [own, bought, theirs] = [of(granted, userId), of(purchases, userId), of(paid, userId)];
    return own === bought && own === theirs
      ? []
      : [`${userId ?? 'all users'}: ${own} granted, ${bought} bought, ${theirs} paid at the provider`];
  });
}

const TAKES = new Map([
  ['FundsAdded', 1],
  ['AnalysisReserved', -1],
  ['AnalysisReleased', 1],
]);

/**
 * The funds recorded with each event match the sum of the events before it, never fall below zero, and match those
 * shown at the end.
 */
function balanceFaults({ log, shown }: BillingFacts): readonly string[] {
  const faults: string[] = [];
  const balances = new Map<string, number>();
  for (const { stream, revision, type, data } of log) {
    const sign = TAKES.get(type);
    if (sign === undefined || !stream.startsWith('billing-')) continue;
    if (type !== 'FundsAdded' && data.from !== 'funds') continue;
    const before = balances.get(stream) ?? 0;
    const balance = before + sign * number(type === 'FundsAdded' ? data.funds : data.amount);
    balances.set(stream, balance);
    if (balance < 0) faults.push(`${stream} fell to ${balance} at ${revision} (${type})`);
    if (data.balance !== balance)
      faults.push(`${stream} has ${data.balance} at ${revision} (${type}), its events come to ${balance}`);
  }
  for (const [userId, funds] of shown) {
    const balance = balances.get(`billing-${userId}`) ?? 0;
    if (funds !== balance) faults.push(`${userId} is shown funds of ${funds}, the bill comes to ${balance}`);
  }
  return faults;
}

/** Audits used or in progress do not exceed those paid for at the provider plus the free ones. */
function overuseFaults({ log, paid, price, allowance }: BillingFacts): readonly string[] {
  const faults: string[] = [];
  const reserved = log.filter(({ type }) => type === 'AnalysisReserved');
  const released = countBy(
    log.filter(({ type }) => type === 'AnalysisReleased'),
    ({ data }) => String(data.jobId),
  );
  for (const [userId, taken] of groupBy(reserved, ({ data }) => String(data.userId))) {
    const used = taken.filter(({ data }) => (released[String(data.jobId)] ?? 0) === 0).length;
    const bought = Math.floor(sum(paid.filter((line) => line.userId === userId).map(({ funds }) => funds)) / price);
    if (used > bought + allowance)
      faults.push(`${userId} had ${used} analyses, and paid for ${bought} beside ${allowance} free ones`);
    for (const { data } of taken)
      if (data.from !== 'funds' && data.from !== 'free_allowance')
        faults.push(`the analysis of job ${data.jobId} was taken from ${data.from}`);
  }
  return faults;
}

/** Each of the provider's payment events was recorded once, by any route, and processed. */
function eventFaults({ log, paidEvents }: BillingFacts): readonly string[] {
  const received = groupBy(
    log.filter(({ type }) => type === 'ProviderEventReceived'),
    ({ data }) => String(data.eventId),
  );
  const applied = new Set(
    log.filter(({ type }) => type === 'ProviderEventApplied').map(({ data }) => String(data.eventId)),
  );
  return paidEvents.flatMap((id) => {
    const times = received.get(id)?.length ?? 0;
    if (times !== 1) return [`event ${id} of the provider was received ${times === 0 ? 'never' : `${times} times`}`];
    return applied.has(id) ? [] : [`event ${id} of the provider was received and never applied`];
  });
}

/** Each plan runs or has ended as at the provider, is on hold while a dispute stands, and began once. */
function planFaults({ log, plans }: BillingFacts): readonly string[] {
  return plans.flatMap(({ userId, subscriptionId, status, isHeld, drills }) => {
    const own = log.filter(
      ({ stream, data }) => stream === `billing-${userId}` && data.subscriptionId === subscriptionId,
    );
    const times = (type: string): number => own.filter((event) => event.type === type).length;
    const last = own.findLast(({ type }) => type === 'SubscriptionSuspended' || type === 'SubscriptionResumed');
    const found = { began: times('SubscriptionStarted'), ended: times('SubscriptionEnded') };
    const wanted = { began: 1, ended: status === 'running' ? 0 : 1 };
    const about = `plan ${subscriptionId} of ${userId} (${drills.join(', ')})`;
    return [
      ...(found.began === wanted.began ? [] : [`${about} began ${found.began} times`]),
      ...(found.ended === wanted.ended ? [] : [`${about} is ${status} at the provider and ended ${found.ended} times`]),
      ...(status !== 'running' || (last?.type === 'SubscriptionSuspended') === isHeld
        ? []
        : [`${about} is ${isHeld ? 'not ' : ''}on hold`]),
    ];
  });
}

function figuresOf({ log, purchases, paid, plans }: BillingFacts): BillingFigures {
  const of = (type: string): readonly WorkEvent[] => log.filter((event) => event.type === type);
  return {
    events: log.length,
    purchases: purchases.length,
    plans: plans.length,
    drills: countBy(
      plans.flatMap(({ drills }) => drills),
      (drill) => drill,
    ),
    ways: countBy(purchases, ({ way }) => way),
    granted: sum(of('FundsAdded').map(({ data }) => number(data.funds))),
    paid: sum(paid.map(({ amount }) => amount)),
    received: countBy(of('ProviderEventReceived'), ({ data }) => String(data.source)),
    analyses: {
      reserved: of('AnalysisReserved').length,
      consumed: of('AnalysisConsumed').length,
      released: of('AnalysisReleased').length,
    },
  };
}

export function checkBilling(facts: BillingFacts): BillingVerdict {
  const { log, jobs, cancelled, broken } = facts;
  const nothing = new Set<string>();
  const faults = [
    ...grantFaults(facts),
    ...purchaseFaults(facts),
    ...sumFaults(facts),
    ...balanceFaults(facts),
    ...overuseFaults(facts),
    ...eventFaults(facts),
    ...planFaults(facts),
    ...jobFaults(log, { jobs, cancelled, deleted: nothing, accountsGone: nothing }, broken),
    ...[...foldPending(log).keys()].map((key) => `${key} is pending and was never done`),
  ];
  return { faults, figures: figuresOf(facts) };
}
