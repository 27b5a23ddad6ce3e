/** From sign-up to purchase: how far the users who signed up in a range got. */

import { isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportRow, ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy, stepsOver } from './groups.ts';
import { isPurchase, PURCHASES } from './purchases.ts';
import type { Report } from './report.ts';

const STEPS = [
  ['signedUp', 'Signed up'],
  ['confirmed', 'Confirmed the email'],
  ['analysed', 'First audit'],
  ['opened', 'Report opened'],
  ['completed', 'First item completed'],
  ['purchased', 'Purchase'],
] as const;
type Step = (typeof STEPS)[number][0];

type User = { readonly day: string; email: string } & Record<Exclude<Step, 'signedUp'>, boolean>;

type FunnelState = {
  readonly users: Map<string, User>;
  /** Owner of each job; events about its items name only the job. */
  readonly ownerOf: Map<string, string>;
};

export const funnel: Report<FunnelState> = {
  name: 'funnel',
  version: 1,
  lean: true,
  title: 'Funnel',
  description: 'How far users get after signing up, up to their first purchase.',
  types: [
    'AccountRegistered',
    'AccountEmailConfirmationAsked',
    'AccountEmailConfirmed',
    'AccountEmailChanged',
    'AccountDeleted',
    'EmailRefused',
    'JobSubmitted',
    'ReportOpened',
    'ActionCompleted',
    ...PURCHASES,
  ],
  initial: () => ({ users: new Map(), ownerOf: new Map() }),
  evolve,
  tables: ({ users }, params) => {
    const within = [...users.values()].filter(({ day }) => isWithin(day, params));
    return [stepsTable(within), periodsTable(within, params.by)];
  },
};

function evolve(state: FunnelState, event: RecordedEvent): FunnelState {
  const { users, ownerOf } = state;
  if (isOf(event, 'AccountRegistered')) {
    const { userId, registeredAt, email } = event.data;
    // Where no email is sent, no confirmation is requested and every address counts as confirmed.
    users.set(userId, {
      day: registeredAt.slice(0, 10),
      email,
      confirmed: true,
      analysed: false,
      opened: false,
      completed: false,
      purchased: false,
    });
  } else if (isOf(event, 'AccountDeleted', 'EmailRefused')) users.delete(event.data.userId);
  else if (isOf(event, 'AccountEmailConfirmationAsked')) {
    const user = users.get(event.data.userId);
    // When a different address is to be confirmed, the account's own keeps its state.
    if (user?.email === event.data.email) user.confirmed = false;
  } else if (isOf(event, 'AccountEmailConfirmed', 'AccountEmailChanged')) {
    const user = reached(state, event.data.userId, 'confirmed');
    if (user) user.email = event.data.email;
  } else if (isOf(event, 'JobSubmitted')) {
    ownerOf.set(event.data.jobId, event.data.userId);
    reached(state, event.data.userId, 'analysed');
  } else if (isOf(event, 'ReportOpened')) reached(state, event.data.userId, 'opened');
  else if (isOf(event, 'ActionCompleted')) reached(state, ownerOf.get(event.data.jobId), 'completed');
  else if (isPurchase(event)) reached(state, event.data.userId, 'purchased');
  return state;
}

function reached(
  { users }: FunnelState,
  userId: string | undefined,
  step: Exclude<Step, 'signedUp'>,
): User | undefined {
  const user = userId === undefined ? undefined : users.get(userId);
  if (user) user[step] = true;
  return user;
}

const countOf = (users: readonly User[], step: Step): number =>
  step === 'signedUp' ? users.length : users.filter((user) => user[step]).length;

function stepsTable(users: readonly User[]): ReportTable {
  const rows = STEPS.map(([step, label]): ReportRow => {
    const count = countOf(users, step);
    return { step: label, users: count, share: users.length === 0 ? null : count / users.length };
  });
  return {
    name: 'steps',
    title: 'Users who reached each step',
    columns: [
      { key: 'step', label: 'Step', kind: 'text' },
      { key: 'users', label: 'Users', kind: 'count' },
      { key: 'share', label: 'Of sign-ups', kind: 'share' },
    ],
    rows: users.length === 0 ? [] : rows,
    note: 'Of the accounts that signed up in the range, whenever they reached the step. Steps are independent: buying without an audit still counts as a purchase. Deleted accounts are not counted, and what was done with a deleted audit counts only as an audit.',
    chart: { kind: 'bar', x: 'step', series: ['users'] },
  };
}

function periodsTable(users: readonly User[], by: 'day' | 'week' | 'month'): ReportTable {
  const periods = groupedBy(users, ({ day }) => stepOf(day, by));
  return {
    name: 'by-sign-up',
    title: `By ${by} of sign-up`,
    columns: [
      { key: 'period', label: 'Signed up from', kind: 'date' },
      ...STEPS.map(([key, label]) => ({ key, label, kind: 'count' }) as const),
    ],
    rows: stepsOver(periods.keys(), by).map((period) => {
      const of = periods.get(period) ?? [];
      return { period, ...Object.fromEntries(STEPS.map(([step]) => [step, countOf(of, step)])) };
    }),
    chart: { kind: 'line', x: 'period', series: ['signedUp', 'analysed', 'completed', 'purchased'] },
  };
}
