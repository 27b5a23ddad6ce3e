/** Retention: of the users who signed up in a given week, how many were active in each following week. */
import { isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy } from './groups.ts';
import type { Report } from './report.ts';

/** Weeks shown after the week of sign-up. */
const WEEKS = 12;
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

type User = {
  readonly day: string;
  /** The Monday of the sign-up week. */
  readonly week: string;
  /** Weeks since sign-up in which the user was active. */
  readonly active: Set<number>;
};

type CohortsState = { readonly users: Map<string, User>; readonly ownerOf: Map<string, string> };

const ITEM_EVENTS = [
  'ActionStarted',
  'ActionCompleted',
  'ActionReopened',
  'ActionSetBack',
  'ActionMoveUndone',
  'ActionNoted',
  'ActionRated',
  'ActionChosen',
] as const;

export const cohorts: Report<CohortsState> = {
  name: 'cohorts',
  version: 2,
  lean: true,
  title: 'Weekly cohorts',
  description: 'Of those who signed up in one week, how many were active in each week after it.',
  types: [
    'AccountRegistered',
    'AccountDeleted',
    'EmailRefused',
    'SessionStarted',
    'SessionRefreshed',
    'JobSubmitted',
    ...ITEM_EVENTS,
  ],
  initial: () => ({ users: new Map(), ownerOf: new Map() }),
  evolve,
  tables: ({ users }, { asOf, ...params }) => {
    const within = [...users.values()].filter(({ day }) => isWithin(day, params));
    const last = stepOf(asOf.slice(0, 10), 'week');
    return [cohortsTable(within, last), returnsTable(within, last)];
  },
};

function evolve(state: CohortsState, event: RecordedEvent): CohortsState {
  const { users, ownerOf } = state;
  if (isOf(event, 'AccountRegistered')) {
    const day = event.data.registeredAt.slice(0, 10);
    users.set(event.data.userId, { day, week: stepOf(day, 'week'), active: new Set() });
  } else if (isOf(event, 'AccountDeleted', 'EmailRefused')) users.delete(event.data.userId);
  else if (isOf(event, 'SessionStarted')) wasActive(users, event.data.userId, event.data.startedAt);
  else if (isOf(event, 'SessionRefreshed')) wasActive(users, event.data.userId, event.data.refreshedAt);
  else if (isOf(event, 'JobSubmitted')) {
    ownerOf.set(event.data.jobId, event.data.userId);
    wasActive(users, event.data.userId, event.data.submittedAt);
  } else if (isOf(event, ...ITEM_EVENTS)) wasActive(users, ownerOf.get(event.data.jobId), event.metadata.at);
  return state;
}

function wasActive(users: CohortsState['users'], userId: string | undefined, at: string): void {
  const user = userId === undefined ? undefined : users.get(userId);
  user?.active.add(weeksBetween(user.week, at.slice(0, 10)));
}

const weeksBetween = (monday: string, day: string): number =>
  Math.floor((Date.parse(day) - Date.parse(monday)) / WEEK_MS);

function cohortsTable(users: readonly User[], lastWeek: string): ReportTable {
  const cohorts = groupedBy(users, ({ week }) => week);
  const weeks = [...cohorts.keys()].sort();
  const shown = Math.min(WEEKS, weeksBetween(weeks[0] ?? lastWeek, lastWeek));
  const numbers = Array.from({ length: shown + 1 }, (_, nth) => nth);
  return {
    name: 'by-week',
    title: 'Active users by week of sign-up',
    columns: [
      { key: 'cohort', label: 'Week of sign-up', kind: 'date' },
      { key: 'users', label: 'Users', kind: 'count' },
      ...numbers.map((nth): ReportColumn => ({ key: weekKey(nth), label: `Week ${nth}`, kind: 'share' })),
    ],
    rows: weeks.map((week): ReportRow => {
      const of = cohorts.get(week) ?? [];
      const begun = weeksBetween(week, lastWeek);
      const shares = numbers.map((nth) => [weekKey(nth), nth > begun ? null : activeIn(of, nth) / of.length]);
      return { cohort: week, users: of.length, ...Object.fromEntries(shares) };
    }),
    note: 'Active: logged in or came back while logged in, started an audit, or worked on an action item. Week 0 is that of the sign-up; weeks begin on Monday (UTC), and the present one is still open. Deleted accounts are not counted.',
  };
}

export const weekKey = (nth: number): string => `week${nth}`;

const activeIn = (users: readonly User[], nth: number): number => users.filter(({ active }) => active.has(nth)).length;

/** All cohorts combined: of the users whose nth week has started, how many were active in it. */
function returnsTable(users: readonly User[], lastWeek: string): ReportTable {
  const rows = Array.from({ length: WEEKS + 1 }, (_, nth): ReportRow => {
    const of = users.filter(({ week }) => weeksBetween(week, lastWeek) >= nth);
    const active = activeIn(of, nth);
    return { week: `Week ${nth}`, users: of.length, active, share: of.length === 0 ? null : active / of.length };
  });
  return {
    name: 'all-cohorts',
    title: 'Active users by weeks since sign-up',
    columns: [
      { key: 'week', label: 'Since sign-up', kind: 'text' },
      { key: 'users', label: 'Users', kind: 'count' },
      { key: 'active', label: 'Active', kind: 'count' },
      { key: 'share', label: 'Share', kind: 'share' },
    ],
    rows: rows.filter(({ users: of }) => of !== 0),
    chart: { kind: 'line', x: 'week', series: ['share'] },
  };
}
