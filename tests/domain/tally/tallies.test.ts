import { describe, expect, it } from 'vitest';
import type { BillingEventData } from '../../../src/domain/billing/events.ts';
import type { TallyEvent } from '../../../src/domain/tally/events.ts';
import { endOfMonth, monthOfStream, tallyStream, tallyStreamsOf } from '../../../src/domain/tally/events.ts';
import {
  addPurchase,
  addSums,
  addTally,
  daySums,
  forgetUser,
  noTallies,
  type Tallies,
} from '../../../src/domain/tally/tallies.ts';

const at = (time: string): string => `2026-11-${time}:00.000Z`;
const of = (userId: string, since: string, count = 1, until = since) => ({
  userId,
  count,
  since: at(since),
  until: at(until),
});
const ranOut = (userId: string, since: string, count = 1): TallyEvent => ({
  type: 'SubmissionsRefused',
  data: { ...of(userId, since, count), reason: 'INSUFFICIENT_CREDITS' },
});
const opened = (userId: string, since: string, until = since): TallyEvent => ({
  type: 'CheckoutsOpened',
  data: { ...of(userId, since, 1, until), purchase: 'reports' },
});
const bought = (tallies: Tallies, userId: string, time: string, amount = 5_000): void => {
  const data = { userId, amount } as BillingEventData<'FundsAdded'>;
  addPurchase(tallies, { type: 'FundsAdded', data }, Date.parse(at(time)));
};
function told(...events: readonly TallyEvent[]): Tallies {
  const tallies = noTallies();
  for (const event of events) addTally(tallies, event);
  return tallies;
}
const cohorts = (tallies: Tallies) =>
  daySums(tallies).map(({ day, ranOut, opened, bought, left }) => ({ day, ranOut, opened, bought, left }));

describe('a day’s sums', () => {
  it('are none of nothing', () => expect(daySums(noTallies())).toEqual([]));

  it('count everything by what it is, and users who ran out once', () => {
    const tallies = told(
      ranOut('ann', '10T09:00'),
      ranOut('ann', '10T09:15', 40),
      { type: 'SubmissionsRefused', data: { ...of('ann', '10T10:00'), reason: 'EMAIL_NOT_CONFIRMED' } },
      { type: 'CodesTried', data: { ...of('bea', '10T10:00', 3), outcome: 'invalid', codes: [] } },
      { type: 'CheckoutsLeft', data: { ...of('bea', '11T10:00'), purchase: 'reports' } },
      { type: 'LogInsRefused', data: of('bea', '10T10:00', 900) },
    );
    const nobody = { ranOut: 0, opened: 0, bought: 0, left: 0 };
    expect(daySums(tallies)).toEqual([
      {
        day: '2026-11-10',
        ...nobody,
        ranOut: 1,
        counts: [
          { what: 'ran_out', count: 41 },
          { what: 'email_not_confirmed', count: 1 },
          { what: 'code_invalid', count: 3 },
          { what: 'log_in_refused', count: 900 },
        ],
      },
      { day: '2026-11-11', ...nobody, counts: [{ what: 'reports_left', count: 1 }] },
    ]);
  });

  it('take a checkout and a purchase for the day on which their user ran out, up to 24 hours later', () => {
    const tallies = told(
      ranOut('ann', '10T09:00'),
      ranOut('bea', '10T09:00'),
      ranOut('cat', '10T23:30'),
      opened('ann', '11T09:00'),
      opened('bea', '11T09:01'),
      opened('cat', '11T00:10'),
    );
    bought(tallies, 'cat', '11T00:20');
    bought(tallies, 'bea', '10T08:59');
    bought(tallies, 'ann', '11T09:01');
    expect(cohorts(tallies)).toEqual([
      { day: '2026-11-10', ranOut: 3, opened: 2, bought: 1, left: 1 },
      { day: '2026-11-11', ranOut: 0, opened: 0, bought: 0, left: 0 },
    ]);
  });

  it('count whoever ran out on two days for both', () => {
    const tallies = told(ranOut('ann', '10T20:00'), ranOut('ann', '11T08:00'), opened('ann', '11T09:00'));
    bought(tallies, 'ann', '11T21:00');
    expect(cohorts(tallies)).toEqual([
      { day: '2026-11-10', ranOut: 1, opened: 1, bought: 0, left: 1 },
      { day: '2026-11-11', ranOut: 1, opened: 1, bought: 1, left: 0 },
    ]);
  });

  it('count no purchase that cost nothing', () => {
    const tallies = told(ranOut('ann', '10T09:00'));
    bought(tallies, 'ann', '10T09:10', 0);
    expect(cohorts(tallies)).toEqual([{ day: '2026-11-10', ranOut: 1, opened: 0, bought: 0, left: 0 }]);
  });
});

describe('sums of what is deleted', () => {
  it('stand for the tallies of their month, read or not', () => {
    const events = [ranOut('ann', '10T09:00', 7), opened('ann', '10T09:05'), ranOut('bea', '11T09:00')];
    const before = told(...events);
    const sums = { sumId: 'sum', month: '202611', days: daySums(before), summedAt: at('30T00:00') };
    const december: TallyEvent = {
      type: 'LogInsRefused',
      data: { userId: 'ann', count: 1, since: '2026-12-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
    };
    const [first, again] = [told(...events, december), told(december)];
    addSums(first, sums);
    addSums(again, sums);
    expect(daySums(first)).toEqual(daySums(again));
    expect(daySums(first).slice(0, 2)).toEqual(daySums(before));
  });

  it('are added to what is there, when an account is deleted', () => {
    const own = [ranOut('ann', '10T09:00', 7), opened('ann', '10T09:05')];
    const all = told(...own, ranOut('bea', '10T12:00'));
    const before = daySums(all);
    forgetUser(all, 'ann');
    expect(cohorts(all)).toEqual([{ day: '2026-11-10', ranOut: 1, opened: 0, bought: 0, left: 0 }]);
    addSums(all, { sumId: 'sum', days: daySums(told(...own)), summedAt: at('12T00:00') });
    expect(cohorts(all)).toEqual([{ day: '2026-11-10', ranOut: 2, opened: 1, bought: 0, left: 1 }]);
    expect(daySums(all)).toEqual(before);
  });
});

describe('streams of tallies', () => {
  it('are named after kind, month and user', () => {
    expect(tallyStream(ranOut('ann', '10T09:00'))).toBe('refused-submissions-202611-ann');
    expect(tallyStream({ type: 'LogInsRefused', data: of('a-b-c', '10T09:00') })).toBe('refused-log-ins-202611-a-b-c');
    expect(monthOfStream('refused-log-ins-202611-a-b-c')).toBe('202611');
    for (const other of ['request-202611-ann', 'refused-log-ins-2026-ann', 'refused-log-ins', 'x-checkouts-202611-a'])
      expect(monthOfStream(other)).toBeNull();
    expect(endOfMonth('202612')).toBe('2027-01-01T00:00:00.000Z');
  });

  it('of a user go back as far as any may be kept', () => {
    const streams = tallyStreamsOf('ann', '2026-02-28T12:00:00.000Z');
    expect(streams).toHaveLength(new Set(streams).size);
    expect(streams.slice(0, 5)).toEqual([
      'refused-submissions-202602-ann',
      'checkouts-202602-ann',
      'tried-codes-202602-ann',
      'refused-log-ins-202602-ann',
      'refused-submissions-202601-ann',
    ]);
    // 366 days, and the whole of their month.
    expect(streams).toContain('checkouts-202501-ann');
  });
});
