/** Log-ins: how many users logged in, and how often, in any range and by step. */
import { isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy, stepsOver } from './groups.ts';
import type { Report, ReportParams } from './report.ts';

/** Log-ins by user, by UTC day. */
type LoginsState = Map<string, Map<string, number>>;
type Day = readonly [day: string, users: ReadonlyMap<string, number>];

export const logins: Report<LoginsState> = {
  name: 'logins',
  version: 1,
  title: 'Log-ins',
  description: 'How many users logged in, and how often.',
  types: ['SessionStarted', 'AccountDeleted', 'EmailRefused'],
  initial: () => new Map(),
  evolve,
  tables: (days, params) => {
    const within = [...days].filter(([day]) => isWithin(day, params));
    return [rangeTable(within), periodsTable(within, params)];
  },
};

function evolve(days: LoginsState, event: RecordedEvent): LoginsState {
  if (isOf(event, 'SessionStarted')) {
    const { userId, startedAt } = event.data;
    const day = startedAt.slice(0, 10);
    const users = days.get(day) ?? new Map<string, number>();
    days.set(day, users.set(userId, (users.get(userId) ?? 0) + 1));
  } else if (isOf(event, 'AccountDeleted', 'EmailRefused')) {
    // Their sessions are erased from the log.
    for (const [day, users] of days) if (users.delete(event.data.userId) && users.size === 0) days.delete(day);
  }
  return days;
}

/** A user of several days counts once. */
function countsOf(days: readonly Day[]): { readonly users: number; readonly logins: number } {
  const users = new Set(days.flatMap(([, of]) => [...of.keys()]));
  const times = days.flatMap(([, of]) => [...of.values()]);
  return { users: users.size, logins: times.reduce((sum, each) => sum + each, 0) };
}

const COUNTS = [
  { key: 'users', label: 'Users who logged in', kind: 'count' },
  { key: 'logins', label: 'Log-ins', kind: 'count' },
] as const;

function rangeTable(days: readonly Day[]): ReportTable {
  return {
    name: 'in-range',
    title: 'Log-ins in the range',
    columns: COUNTS,
    rows: days.length === 0 ? [] : [countsOf(days)],
    note: 'A log-in starts a session, as signing up does; staying logged in doesn’t count. Deleted accounts are not counted.',
  };
}

function periodsTable(days: readonly Day[], { by }: Pick<ReportParams, 'by'>): ReportTable {
  const periods = groupedBy(days, ([day]) => stepOf(day, by));
  return {
    name: 'by-period',
    title: `Log-ins by ${by}`,
    columns: [{ key: 'period', label: 'From', kind: 'date' }, ...COUNTS],
    rows: stepsOver(periods.keys(), by).map((period) => ({ period, ...countsOf(periods.get(period) ?? []) })),
    chart: { kind: 'line', x: 'period', series: ['users', 'logins'] },
  };
}
