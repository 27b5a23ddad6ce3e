/**
 * What came before money, by UTC day: how often something was refused, tried, opened and left, and what those did
 * within a day who had run out of audits. A fold of tallies, purchases, and the sums of tallies that are deleted.
 */
import { ascending } from '../../model/order.ts';
import type { BillingEvent } from '../billing/events.ts';
import type { DaySum, Tallied, TallyEvent, TallySumEvent } from './events.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const PURCHASE_TYPES = ['FundsAdded', 'SubscriptionStarted', 'SubscriptionChanged'] as const;
type Purchase = Extract<BillingEvent, { readonly type: (typeof PURCHASE_TYPES)[number] }>;

/** One user's day. */
type UserDay = {
  readonly counts: Map<Tallied, number>;
  /** When audits first ran out, ms; null: they did not. */
  ranOutAt: number | null;
  opened: boolean;
  bought: boolean;
};

export type Tallies = {
  readonly users: Map<string, Map<string, UserDay>>;
  /** Of tallies that are deleted. */
  readonly gone: Map<string, DaySum>;
};

export const noTallies = (): Tallies => ({ users: new Map(), gone: new Map() });

/** Changes the given state. In log order, as a checkout or a purchase belongs to what came before it. */
export function addTally(tallies: Tallies, event: TallyEvent): void {
  const { type, data } = event;
  const at = Date.parse(data.since);
  const day = dayOf(tallies, data.userId, data.since.slice(0, 10));
  const what = talliedBy(event);
  day.counts.set(what, (day.counts.get(what) ?? 0) + data.count);
  if (what === 'ran_out') day.ranOutAt = Math.min(day.ranOutAt ?? at, at);
  if (type === 'CheckoutsOpened')
    for (const ranOut of ranOutBefore(tallies, data.userId, Date.parse(data.until))) ranOut.opened = true;
}

/** At `at`, ms. What cost nothing, and the renewal of a plan, is no purchase. Changes the given state. */
export function addPurchase(tallies: Tallies, { type, data }: Purchase, at: number): void {
  const paid = type === 'FundsAdded' ? data.amount : (data.paid?.amount ?? 0);
  if (paid > 0) for (const ranOut of ranOutBefore(tallies, data.userId, at)) ranOut.bought = true;
}

/** Its tallies are about to be deleted; a sum of them follows. Changes the given state. */
export function forgetUser({ users }: Tallies, userId: string): void {
  users.delete(userId);
}

/** Changes the given state. */
export function addSums({ users, gone }: Tallies, { month, days }: TallySumEvent['data']): void {
  // The tallies of the month may still have been there when they were read.
  if (month !== undefined)
    for (const [userId, of] of users) {
      for (const day of of.keys()) if (isIn(day, month)) of.delete(day);
      if (of.size === 0) users.delete(userId);
    }
  for (const sum of days) gone.set(sum.day, merged(gone.get(sum.day), sum));
}

export const isIn = (day: string, month: string): boolean => day.startsWith(`${month.slice(0, 4)}-${month.slice(4)}-`);

/** By day, oldest first; with a user once per day. */
export function daySums({ users, gone }: Tallies): readonly DaySum[] {
  const sums = new Map(gone);
  for (const of of users.values()) for (const [day, own] of of) sums.set(day, merged(sums.get(day), sumOf(day, own)));
  return [...sums.values()].sort((one, other) => ascending(one.day, other.day));
}

function talliedBy({ type, data }: TallyEvent): Tallied {
  switch (type) {
    case 'SubmissionsRefused':
      return REFUSALS[data.reason];
    case 'CheckoutsOpened':
      return `${data.purchase}_opened`;
    case 'CheckoutsLeft':
      return `${data.purchase}_left`;
    case 'CodesTried':
      return `code_${data.outcome}`;
    default:
      return 'log_in_refused';
  }
}

const REFUSALS = {
  INSUFFICIENT_CREDITS: 'ran_out',
  EMAIL_NOT_CONFIRMED: 'email_not_confirmed',
  INVALID_URL: 'invalid_url',
} as const;

function dayOf({ users }: Tallies, userId: string, day: string): UserDay {
  const of = users.get(userId) ?? new Map<string, UserDay>();
  users.set(userId, of);
  const own = of.get(day) ?? { counts: new Map(), ranOutAt: null, opened: false, bought: false };
  of.set(day, own);
  return own;
}

/** The days on which that user ran out less than a day before `at`. */
function ranOutBefore({ users }: Tallies, userId: string, at: number): readonly UserDay[] {
  const of = users.get(userId);
  if (!of) return [];
  return [at, at - DAY_MS].flatMap((time) => {
    const day = of.get(new Date(time).toISOString().slice(0, 10));
    const ranOutAt = day?.ranOutAt ?? null;
    return day && ranOutAt !== null && ranOutAt <= at && at - ranOutAt <= DAY_MS ? [day] : [];
  });
}

function sumOf(day: string, { counts, ranOutAt, opened, bought }: UserDay): DaySum {
  const one = (is: boolean): number => (is && ranOutAt !== null ? 1 : 0);
  return {
    day,
    counts: [...counts].map(([what, count]) => ({ what, count })),
    ranOut: one(true),
    opened: one(opened),
    bought: one(bought),
    left: one(opened && !bought),
  };
}

function merged(one: DaySum | undefined, other: DaySum): DaySum {
  if (!one) return other;
  const counts = new Map(one.counts.map(({ what, count }) => [what, count]));
  for (const { what, count } of other.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  return {
    day: one.day,
    counts: [...counts].map(([what, count]) => ({ what, count })),
    ranOut: one.ranOut + other.ranOut,
    opened: one.opened + other.opened,
    bought: one.bought + other.bought,
    left: one.left + other.left,
  };
}
