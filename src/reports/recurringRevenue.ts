/** Monthly recurring revenue and how it changes. Part of the revenue report. */
import type { SubscriptionEvent } from '../domain/billing/events.ts';
import { evolveSubscriptions, type Subscription } from '../domain/billing/subscription.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { stepsBetween } from '../model/reportSteps.ts';
import type { ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, isWithin, mergeSums, stepOf, sumsBy } from './dailySums.ts';
import type { ReportParams } from './report.ts';

const MOVEMENTS = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;
type Movement = (typeof MOVEMENTS)[number];

export type RecurringState = {
  /** By user, as in their bill. */
  readonly subscribers: Map<string, { subscriptions: readonly Subscription[]; hadOne: boolean }>;
  /** `amount` per month, negative for a decrease. */
  readonly movements: DailySums<'movement' | 'currency', 'amount' | 'subscribers'>;
};

export const noRecurring = (): RecurringState => ({
  subscribers: new Map(),
  movements: dailySums(['movement', 'currency'], ['amount', 'subscribers']),
});

/** Each user's bill is in one of them. Changes the given states. */
export function mergeRecurring(one: RecurringState, other: RecurringState): RecurringState {
  for (const [userId, subscriber] of other.subscribers) one.subscribers.set(userId, subscriber);
  mergeSums(one.movements, other.movements);
  return one;
}

type PlanEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionSynced' }>;

/** Uses the same fold as the bills. */
export function evolveRecurring({ subscribers, movements }: RecurringState, event: Recorded<PlanEvent>): void {
  const { userId } = event.data;
  const known = subscribers.get(userId) ?? { subscriptions: [], hadOne: false };
  subscribers.set(userId, known);
  const before = recurringOf(known.subscriptions);
  known.subscriptions = evolveSubscriptions(known.subscriptions, event);
  const after = recurringOf(known.subscriptions);
  for (const currency of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(currency) ?? 0, after.get(currency) ?? 0];
    if (was === is) continue;
    const movement = movementOf(was, is, known.hadOne);
    addTo(
      movements,
      event.metadata.at,
      { movement, currency },
      { amount: is - was, subscribers: was === 0 ? 1 : is === 0 ? -1 : 0 },
    );
  }
  known.hadOne ||= after.size > 0;
}

/** What was agreed per month, by currency. A trial pays nothing yet; a past-due subscription counts until it is given up. */
function recurringOf(subscriptions: readonly Subscription[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { status, monthly, currency } of subscriptions)
    if ((status === 'active' || status === 'past_due') && monthly > 0)
      sums.set(currency, (sums.get(currency) ?? 0) + monthly);
  return sums;
}

function movementOf(was: number, is: number, hadOne: boolean): Movement {
  if (was === 0) return hadOne ? 'reactivation' : 'new';
  if (is === 0) return 'churn';
  return is > was ? 'expansion' : 'contraction';
}

/** For each step: revenue at its start, the movements, and revenue at its end. */
export function recurringTable({ movements }: RecurringState, params: ReportParams, asOf: string): ReportTable {
  const currencies = [
    ...new Set([...movements.days.values()].flatMap((ofDay) => [...ofDay.values()].map(({ of }) => of[1] ?? ''))),
  ].sort();
  return {
    name: 'recurring',
    title: 'Recurring revenue a month',
    columns: [
      { key: 'step', label: 'From', kind: 'date' },
      { key: 'opening', label: 'At the start', kind: 'money' },
      { key: 'new', label: 'New', kind: 'money' },
      { key: 'reactivation', label: 'Reactivated', kind: 'money' },
      { key: 'expansion', label: 'Expansion', kind: 'money' },
      { key: 'contraction', label: 'Contraction', kind: 'money' },
      { key: 'churn', label: 'Churn', kind: 'money' },
      { key: 'closing', label: 'At the end', kind: 'money' },
      { key: 'subscribers', label: 'Subscribers', kind: 'count' },
    ],
    rows: currencies.flatMap((currency) => rowsOf(movements, currency, params, asOf)),
    note: 'What was agreed: without what lasting discounts take off, and a twelfth of what is paid by the year. Counted from the first paid period until the subscription ends; what is overdue counts until it is given up. Trials are left out. Payments recorded by versions before this one count at the list price.',
    chart: { kind: 'line', x: 'step', series: ['closing'] },
  };
}

function rowsOf(
  movements: RecurringState['movements'],
  currency: string,
  params: ReportParams,
  asOf: string,
): readonly ReportRow[] {
  const ofCurrency = (range: ReportParams, groups: readonly ('step' | 'movement' | 'currency')[]) =>
    sumsBy(movements, range, groups).filter((row) => (row as ReportRow).currency === currency);
  const [began] = [...movements.days.keys()].sort();
  // Steps before the first subscription are all empty, and there may be hundreds of thousands of them.
  const first = params.from !== null && began !== undefined && params.from > began ? params.from : began;
  const last = lastDay(params, asOf);
  if (first === undefined || first > last) return [];
  const [before] = params.from === null ? [] : ofCurrency({ ...params, from: null, to: params.from }, ['currency']);
  let [opening, subscribers] = [before?.amount ?? 0, before?.subscribers ?? 0];
  const moved = ofCurrency(params, ['step', 'movement', 'currency']) as readonly (ReportRow & {
    readonly amount: number;
    readonly subscribers: number;
  })[];
  const ofStep = new Map<string, (typeof moved)[number][]>();
  for (const row of moved) ofStep.set(String(row.step), [...(ofStep.get(String(row.step)) ?? []), row]);
  return stepsBetween(stepOf(first, params.by), stepOf(last, params.by), params.by).map((step) => {
    const sums = Object.fromEntries(MOVEMENTS.map((movement) => [movement, 0])) as Record<Movement, number>;
    for (const { movement, amount, subscribers: more } of ofStep.get(step) ?? []) {
      sums[movement as Movement] += amount;
      subscribers += more;
    }
    const closing = MOVEMENTS.reduce((sum, movement) => sum + sums[movement], opening);
    const row = { step, currency, opening, ...sums, closing, subscribers };
    opening = closing;
    return row;
  });
}

/** Last day of the range: the day before `to`, or today. */
function lastDay({ to }: ReportParams, asOf: string): string {
  const today = asOf.slice(0, 10);
  if (to === null || isWithin(today, { from: null, to })) return today;
  return new Date(Date.parse(`${to}T00:00:00Z`) - 1).toISOString().slice(0, 10);
}
