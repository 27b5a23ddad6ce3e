import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logins } from '../../src/reports/logins.ts';
import { noon, plantedLog, rowsOf } from '../given/plantedLog.ts';

const tokens = {
  accessTokenHash: 'a',
  refreshTokenHash: 'r',
  accessExpiresAt: noon('2027-01-01'),
  refreshExpiresAt: noon('2027-01-01'),
};
const dayOf = (nth: number): string => new Date(Date.UTC(2026, 2, 1 + nth)).toISOString().slice(0, 10);

function world() {
  const log = plantedLog();
  return {
    events: log.events,
    logIn: (day: string, userId: string) =>
      log.add(day, 'SessionStarted', { sessionId: `s-${log.events.length}`, userId, ...tokens, startedAt: noon(day) }),
    comeBack: (day: string, userId: string) =>
      log.add(day, 'SessionRefreshed', { sessionId: 's', userId, ...tokens, refreshedAt: noon(day) }),
    leave: (day: string, userId: string) => log.add(day, 'AccountDeleted', { userId, deletedAt: noon(day) }),
  };
}

describe('log-ins', () => {
  it('count a user once in the range and in each step, and every log-in', () => {
    const { events, logIn, comeBack } = world();
    for (const [day, user] of [
      ['2026-03-02', 'ann'],
      ['2026-03-02', 'ann'],
      ['2026-03-03', 'ann'],
      ['2026-03-11', 'bob'],
    ] as const)
      logIn(day, user);
    comeBack('2026-03-12', 'cid');
    expect(rowsOf(logins, events, 'in-range')).toEqual([{ users: 2, logins: 4 }]);
    expect(rowsOf(logins, events, 'by-period', { by: 'week' })).toEqual([
      { period: '2026-03-02', users: 1, logins: 3 },
      { period: '2026-03-09', users: 1, logins: 1 },
    ]);
    expect(rowsOf(logins, events, 'in-range', { from: '2026-04-01' })).toEqual([]);
  });

  it('are those of a plain fold of the log, in any range', () => {
    const act = fc.record({
      day: fc.nat(40),
      user: fc.constantFrom('ann', 'bob', 'cid', 'dan'),
      what: fc.constantFrom('in', 'in', 'in', 'back', 'gone'),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(40), fc.nat(41), (acts, from, length) => {
        const sorted = acts.toSorted((one, other) => one.day - other.day);
        const { events, logIn, comeBack, leave } = world();
        for (const { day, user, what } of sorted) ({ in: logIn, back: comeBack, gone: leave })[what](dayOf(day), user);
        // Nobody logs in to an account that is gone; the fold counts what the log says all the same.
        const counted = sorted.filter(
          ({ day, user, what }, nth) =>
            what === 'in' &&
            day >= from &&
            day < from + length &&
            !sorted.slice(nth).some((later) => later.what === 'gone' && later.user === user),
        );
        const asked = { from: dayOf(from), to: dayOf(from + length) };
        expect(rowsOf(logins, events, 'in-range', asked)).toEqual(
          counted.length === 0
            ? []
            : [{ users: new Set(counted.map(({ user }) => user)).size, logins: counted.length }],
        );
        const byDay = rowsOf(logins, events, 'by-period', { ...asked, by: 'day' });
        expect(byDay.reduce((sum, { logins: times }) => sum + Number(times), 0)).toBe(counted.length);
      }),
    );
  });
});
