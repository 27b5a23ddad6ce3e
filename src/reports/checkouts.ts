/**
 * What comes before a purchase: users who ran out of audits, and whether they opened a checkout and bought; refused
 * submissions, tried codes and refused log-ins.
 */
import { isOf } from '../domain/stored/eventOf.ts';
import { type DaySum, TALLY_TYPES, type Tallied } from '../domain/tally/events.ts';
import {
  addPurchase,
  addSums,
  addTally,
  daySums,
  forgetUser,
  noTallies,
  PURCHASE_TYPES,
  type Tallies,
} from '../domain/tally/tallies.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy, stepsOver } from './groups.ts';
import type { Report, ReportParams } from './report.ts';

const STEPS = [
  ['ranOut', 'Ran out of audits'],
  ['opened', 'Opened checkout'],
  ['bought', 'Bought'],
  ['left', 'Left without buying'],
] as const;

const COUNTED: readonly (readonly [Tallied, string])[] = [
  ['ran_out', 'Submissions refused: out of audits'],
  ['email_not_confirmed', 'Submissions refused: email not confirmed'],
  ['invalid_url', 'Submissions refused: invalid URL'],
  ['reports_opened', 'Checkouts for reports opened'],
  ['reports_left', 'Payments for reports given up'],
  ['plan_opened', 'Checkouts for a plan opened'],
  ['code_valid', 'Codes tried: valid'],
  ['code_invalid', 'Codes tried: invalid'],
  ['log_in_refused', 'Log-ins refused'],
];

function evolve(tallies: Tallies, event: RecordedEvent): Tallies {
  if (isOf(event, ...TALLY_TYPES)) addTally(tallies, event);
  else if (isOf(event, 'TalliesSummed')) addSums(tallies, event.data);
  else if (isOf(event, 'AccountDeleted')) forgetUser(tallies, event.data.userId);
  else if (isOf(event, ...PURCHASE_TYPES)) addPurchase(tallies, event, Date.parse(event.metadata.at));
  return tallies;
}

const sumOf = (days: readonly DaySum[], key: (typeof STEPS)[number][0]): number =>
  days.reduce((sum, day) => sum + day[key], 0);

const countOf = (days: readonly DaySum[], wanted: Tallied): number =>
  days.reduce((sum, { counts }) => sum + (counts.find(({ what }) => what === wanted)?.count ?? 0), 0);

/** Only what happened in the range at all, so that nothing is a table of zeros. */
const countsOf = (days: readonly DaySum[]): readonly ReportRow[] =>
  COUNTED.map(([what, label]) => ({ what: label, count: countOf(days, what) })).filter(({ count }) => count > 0);

function stepsTable(days: readonly DaySum[]): ReportTable {
  const ranOut = sumOf(days, 'ranOut');
  const rows = STEPS.map(([key, label]): ReportRow => {
    const users = sumOf(days, key);
    return { step: label, users, share: ranOut === 0 ? null : users / ranOut };
  });
  return {
    name: 'steps',
    title: 'What users did within a day of running out',
    columns: [
      { key: 'step', label: 'Step', kind: 'text' },
      { key: 'users', label: 'Users', kind: 'count' },
      { key: 'share', label: 'Of those who ran out', kind: 'share' },
    ],
    rows: ranOut === 0 ? [] : rows,
    note: 'A user counts on each day on which a submission or an unlock was refused for lack of audits, and did the rest within 24 hours of the first refusal of that day. Whoever buys without a checkout, such as a larger plan, counts as having bought only. Renewals are no purchases.',
    chart: { kind: 'bar', x: 'step', series: ['users'] },
  };
}

function periodsTable(days: readonly DaySum[], { by }: Pick<ReportParams, 'by'>): ReportTable {
  const ranOut = days.filter((day) => day.ranOut > 0);
  const periods = groupedBy(ranOut, ({ day }) => stepOf(day, by));
  return {
    name: 'by-period',
    title: `By ${by} of running out`,
    columns: [
      { key: 'period', label: 'From', kind: 'date' },
      ...STEPS.map(([key, label]): ReportColumn => ({ key, label, kind: 'count' })),
    ],
    rows: stepsOver(periods.keys(), by).map((period) => ({
      period,
      ...Object.fromEntries(STEPS.map(([key]) => [key, sumOf(periods.get(period) ?? [], key)])),
    })),
    chart: { kind: 'line', x: 'period', series: STEPS.map(([key]) => key) },
  };
}

function countsTable(days: readonly DaySum[]): ReportTable {
  return {
    name: 'counts',
    title: 'How often',
    columns: [
      { key: 'what', label: 'What', kind: 'text' },
      { key: 'count', label: 'Times', kind: 'count' },
    ],
    rows: countsOf(days),
    note: 'Repeats count each time. Nobody says that a dialog or a page of the payment provider was merely closed: only a payment that was begun is counted as given up. A process that is killed may lose the counts of its last quarter of an hour (of log-ins: of its last hour).',
  };
}

function countsOverTime(days: readonly DaySum[], { by }: Pick<ReportParams, 'by'>): ReportTable {
  const periods = groupedBy(days, ({ day }) => stepOf(day, by));
  return {
    name: 'counts-over-time',
    title: 'How often, over time',
    columns: [
      { key: 'period', label: 'From', kind: 'date' },
      { key: 'what', label: 'What', kind: 'text' },
      { key: 'count', label: 'Times', kind: 'count' },
    ],
    rows: [...periods].flatMap(([period, of]) => countsOf(of).map((row) => ({ period, ...row }))),
  };
}

export const checkouts: Report<Tallies> = {
  name: 'checkouts',
  version: 1,
  title: 'Before a purchase',
  description: 'How many users who ran out of audits opened a checkout and bought, and what was refused or given up.',
  types: [...TALLY_TYPES, 'TalliesSummed', 'AccountDeleted', ...PURCHASE_TYPES],
  lean: true,
  initial: noTallies,
  evolve,
  tables: (tallies, params) => {
    const days = daySums(tallies).filter(({ day }) => isWithin(day, params));
    return [stepsTable(days), periodsTable(days, params), countsTable(days), countsOverTime(days, params)];
  },
};
