import { beforeEach, describe, expect, it } from 'vitest';
import { cohorts } from '../../src/reports/cohorts.ts';
import { noon, type PlantedLog, plantedLog, rowsOf, tablesOf } from '../given/plantedLog.ts';

let log: PlantedLog;
beforeEach(() => {
  log = plantedLog();
});

const signUp = (day: string, userId: string) =>
  log.add(day, 'AccountRegistered', {
    userId,
    email: `${userId}@example.com`,
    name: userId,
    passwordHash: 'hash',
    registeredAt: noon(day),
  });
const tokens = {
  accessTokenHash: 'a',
  refreshTokenHash: 'r',
  accessExpiresAt: noon('2027-01-01'),
  refreshExpiresAt: noon('2027-01-01'),
};
const logIn = (day: string, userId: string) =>
  log.add(day, 'SessionStarted', { sessionId: `s-${userId}`, userId, ...tokens, startedAt: noon(day) });
const comeBack = (day: string, userId: string) =>
  log.add(day, 'SessionRefreshed', { sessionId: `s-${userId}`, userId, ...tokens, refreshedAt: noon(day) });
const submit = (day: string, userId: string) =>
  log.add(day, 'JobSubmitted', {
    jobId: `job-of-${userId}`,
    userId,
    url: 'https://example.com/',
    host: 'example.com',
    bounds: { maxPages: 50, maxMs: 1 },
    access: 'full',
    submittedAt: noon(day),
  });
const note = (day: string, userId: string) =>
  log.add(day, 'ActionNoted', { jobId: `job-of-${userId}`, actionId: 'a', notes: 'done', notedAt: noon(day) });

const byWeek = (asked: Parameters<typeof rowsOf>[3]) => rowsOf(cohorts, log.events, 'by-week', asked);

describe('cohorts', () => {
  it('cohorts are empty without users', () => {
    expect(tablesOf(cohorts, [], { asOf: '2026-03-10' })).toMatchObject([
      { name: 'by-week', rows: [] },
      { name: 'all-cohorts', rows: [] },
    ]);
  });

  it('of one user are one row, active in the weeks with activity', () => {
    // A Wednesday; week 0 is from Monday the 2nd.
    signUp('2026-03-04', 'ann');
    logIn('2026-03-04', 'ann');
    submit('2026-03-16', 'ann');
    expect(byWeek({ asOf: '2026-03-25' })).toEqual([
      { cohort: '2026-03-02', users: 1, week0: 1, week1: 0, week2: 1, week3: 0 },
    ]);
  });

  it('count log-ins, returns, audits and items, at the edges of weeks', () => {
    for (const user of ['ann', 'bob', 'cid', 'dan', 'eve']) signUp('2026-03-02', user);
    submit('2026-03-02', 'cid');
    logIn('2026-03-09T00:00:00.000Z', 'ann');
    comeBack('2026-03-15T23:59:59.999Z', 'bob');
    note('2026-03-12', 'cid');
    submit('2026-03-16T00:00:00.000Z', 'dan');
    const [row] = byWeek({ asOf: '2026-03-16' });
    expect(row).toEqual({ cohort: '2026-03-02', users: 5, week0: 1 / 5, week1: 3 / 5, week2: 1 / 5 });
  });

  it('are empty for weeks that have not begun', () => {
    signUp('2026-03-02', 'ann');
    signUp('2026-03-10', 'bob');
    logIn('2026-03-10', 'ann');
    logIn('2026-03-17', 'bob');
    expect(byWeek({ asOf: '2026-03-17' })).toEqual([
      { cohort: '2026-03-02', users: 1, week0: 0, week1: 1, week2: 0 },
      { cohort: '2026-03-09', users: 1, week0: 0, week1: 1, week2: null },
    ]);
    expect(rowsOf(cohorts, log.events, 'all-cohorts', { asOf: '2026-03-17' })).toEqual([
      { week: 'Week 0', users: 2, active: 0, share: 0 },
      { week: 'Week 1', users: 2, active: 2, share: 1 },
      { week: 'Week 2', users: 1, active: 0, share: 0 },
    ]);
  });

  it('cover the range, with at most twelve weeks', () => {
    signUp('2026-01-05', 'ann');
    signUp('2026-03-02', 'bob');
    logIn('2026-12-01', 'ann');
    const rows = byWeek({ asOf: '2026-12-01', to: '2026-02-01' });
    expect(rows.map(({ cohort }) => cohort)).toEqual(['2026-01-05']);
    expect(Object.keys(rows[0] ?? {})).toHaveLength(2 + 13);
    expect(byWeek({ asOf: '2026-12-01', from: '2026-03-01' }).map(({ cohort }) => cohort)).toEqual(['2026-03-02']);
  });

  it('cohorts exclude deleted accounts', () => {
    signUp('2026-03-02', 'ann');
    signUp('2026-03-02', 'bob');
    log.add('2026-03-03', 'AccountDeleted', { userId: 'ann', deletedAt: noon('2026-03-03') });
    logIn('2026-03-04', 'ann');
    expect(byWeek({ asOf: '2026-03-04' })).toEqual([{ cohort: '2026-03-02', users: 1, week0: 0 }]);
  });
});
