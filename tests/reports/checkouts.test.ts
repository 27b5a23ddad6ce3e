/** What users do once they run out of audits, and what is refused before they buy. */
import { expect, it } from 'vitest';
import { checkouts } from '../../src/reports/checkouts.ts';
import { happened, logOf, rowsOf, runReport } from '../given/reports.ts';

const tally = (userId: string, since: string, count = 1) => ({ userId, count, since, until: since });
const ranOut = (userId: string, at: string, count = 1) =>
  happened(`refused-submissions-202611-${userId}`, at, 'SubmissionsRefused', {
    ...tally(userId, at, count),
    reason: 'INSUFFICIENT_CREDITS',
  });
const opened = (userId: string, at: string) =>
  happened(`checkouts-202611-${userId}`, at, 'CheckoutsOpened', { ...tally(userId, at), purchase: 'plan' });
const bought = (userId: string, at: string) =>
  happened(`billing-${userId}`, at, 'FundsAdded', {
    userId,
    paymentIntentId: `pi_${userId}`,
    amount: 5_000,
    currency: 'usd',
    funds: 5_000,
    balance: 5_000,
    quantity: 1,
    addedAt: at,
  });
const refused = (userId: string, at: string, count: number) =>
  happened(`refused-log-ins-202611-${userId}`, at, 'LogInsRefused', tally(userId, at, count));

const LOG = [
  ranOut('ann', '2026-11-02T10:00:00.000Z', 4),
  ranOut('bea', '2026-11-02T11:00:00.000Z'),
  ranOut('cat', '2026-11-09T10:00:00.000Z'),
  refused('cat', '2026-11-09T11:00:00.000Z', 70),
].concat(
  opened('ann', '2026-11-02T12:00:00.000Z'),
  opened('bea', '2026-11-03T10:59:00.000Z'),
  bought('bea', '2026-11-03T10:59:30.000Z'),
  bought('cat', '2026-11-10T10:00:01.000Z'),
);

it('is empty without events', async () => {
  const { tables } = await runReport(await logOf(), checkouts);
  expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
    ['steps', []],
    ['by-period', []],
    ['counts', []],
    ['counts-over-time', []],
  ]);
});

it('counts users by step, and by the time they ran out', async () => {
  const result = await runReport(await logOf(...LOG), checkouts, { by: 'week' });
  expect(rowsOf(result, 'steps')).toEqual([
    { step: 'Ran out of audits', users: 3, share: 1 },
    { step: 'Opened checkout', users: 2, share: 2 / 3 },
    { step: 'Bought', users: 1, share: 1 / 3 },
    { step: 'Left without buying', users: 1, share: 1 / 3 },
  ]);
  expect(rowsOf(result, 'by-period')).toEqual([
    { period: '2026-11-02', ranOut: 2, opened: 2, bought: 1, left: 1 },
    { period: '2026-11-09', ranOut: 1, opened: 0, bought: 0, left: 0 },
  ]);
  expect(rowsOf(result, 'counts')).toEqual([
    { what: 'Submissions refused: out of audits', count: 6 },
    { what: 'Checkouts for a plan opened', count: 2 },
    { what: 'Log-ins refused', count: 70 },
  ]);
});

it('keeps ranges, and the days of tallies that are deleted', async () => {
  const days = [
    {
      day: '2026-08-31',
      counts: [
        { what: 'ran_out', count: 9 },
        { what: 'reports_left', count: 2 },
      ],
      ranOut: 5,
      opened: 3,
      bought: 2,
      left: 1,
    },
  ];
  const at = '2026-11-30T00:00:00.000Z';
  const sums = { sumId: 'sum', month: '202608', days, summedAt: at };
  const log = await logOf(...LOG, happened('tally-sums-sum', at, 'TalliesSummed', sums));
  const august = await runReport(log, checkouts, { from: '2026-08-01', to: '2026-08-31' });
  expect(rowsOf(august, 'by-period')).toEqual([{ period: '2026-08-01', ranOut: 5, opened: 3, bought: 2, left: 1 }]);
  expect(rowsOf(august, 'counts-over-time')).toEqual([
    { period: '2026-08-01', what: 'Submissions refused: out of audits', count: 9 },
    { period: '2026-08-01', what: 'Payments for reports given up', count: 2 },
  ]);
  const all = await runReport(log, checkouts);
  expect(rowsOf(all, 'by-period').map(({ period, ranOut: users }) => [period, users])).toEqual([
    ['2026-08-01', 5],
    ['2026-09-01', 0],
    ['2026-10-01', 0],
    ['2026-11-01', 3],
  ]);
});
