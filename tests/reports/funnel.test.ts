import { beforeEach, describe, expect, it } from 'vitest';
import { funnel } from '../../src/reports/funnel.ts';
import { noon, type PlantedLog, plantedLog, rowsOf, tablesOf } from '../given/plantedLog.ts';

let log: PlantedLog;
beforeEach(() => {
  log = plantedLog();
});

const emailOf = (userId: string): string => `${userId}@example.com`;

function signUp(day: string, userId: string, asksProof = true): void {
  log.add(day, 'AccountRegistered', {
    userId,
    email: emailOf(userId),
    name: userId,
    passwordHash: 'hash',
    registeredAt: noon(day),
  });
  if (asksProof)
    log.add(day, 'AccountEmailConfirmationAsked', {
      userId,
      requestId: 'r',
      email: emailOf(userId),
      askedAt: noon(day),
    });
}
const confirm = (day: string, userId: string) =>
  log.add(day, 'AccountEmailConfirmed', { userId, email: emailOf(userId), confirmedAt: noon(day) });
function submit(day: string, userId: string, jobId = `job-of-${userId}`): void {
  const bounds = { maxPages: 50, maxMs: 1 };
  log.add(day, 'JobSubmitted', {
    jobId,
    userId,
    url: 'https://example.com/',
    host: 'example.com',
    bounds,
    access: 'full',
    submittedAt: noon(day),
  });
}
const open = (day: string, userId: string) =>
  log.add(day, 'ReportOpened', { jobId: `job-of-${userId}`, userId, openedAt: noon(day) });
const complete = (day: string, userId: string, actionId = 'a') =>
  log.add(day, 'ActionCompleted', { jobId: `job-of-${userId}`, actionId, completedAt: noon(day) });
function buy(day: string, userId: string, amount = 5_000): void {
  log.add(day, 'FundsAdded', {
    userId,
    paymentIntentId: 'p',
    amount,
    currency: 'usd',
    funds: amount,
    balance: amount,
    quantity: 1,
    addedAt: noon(day),
  });
}

const reached = (asked: Parameters<typeof rowsOf>[3] = {}) =>
  rowsOf(funnel, log.events, 'steps', asked).map(({ users }) => users);

describe('the funnel', () => {
  it('is empty without users', () => {
    expect(tablesOf(funnel, [])).toMatchObject([
      { name: 'steps', rows: [] },
      { name: 'by-sign-up', rows: [] },
    ]);
  });

  it('has one in each step for a user who completed it', () => {
    signUp('2026-03-02', 'ann');
    confirm('2026-03-02', 'ann');
    submit('2026-03-02', 'ann');
    open('2026-03-03', 'ann');
    complete('2026-03-04', 'ann');
    buy('2026-04-01', 'ann');
    expect(rowsOf(funnel, log.events, 'steps')).toEqual(
      ['Signed up', 'Confirmed the email', 'First audit', 'Report opened', 'First item completed', 'Purchase'].map(
        (step) => ({ step, users: 1, share: 1 }),
      ),
    );
  });

  it('counts each user once per step, however often they do it', () => {
    signUp('2026-03-02', 'ann');
    for (const day of ['2026-03-02', '2026-03-05']) {
      submit(day, 'ann');
      open(day, 'ann');
      complete(day, 'ann');
      complete(day, 'ann', 'b');
      buy(day, 'ann');
    }
    expect(reached()).toEqual([1, 0, 1, 1, 1, 1]);
  });

  // Five users; by hand: confirmed are ann, bob and cid (who was never asked), audits of ann, bob and dan, opened by
  // ann and bob, completed by ann, bought by bob and cid.
  function five(): void {
    signUp('2026-03-02', 'ann');
    signUp('2026-03-09', 'bob');
    signUp('2026-03-09', 'cid', false);
    signUp('2026-03-31', 'dan');
    signUp('2026-05-01', 'eve');
    for (const user of ['ann', 'bob']) confirm('2026-04-01', user);
    for (const user of ['ann', 'bob', 'dan']) submit('2026-04-02', user);
    for (const user of ['ann', 'bob']) open('2026-04-02', user);
    complete('2026-04-03', 'ann');
    buy('2026-06-01', 'bob');
    buy('2026-06-01', 'cid');
  }

  it('counts each step separately', () => {
    five();
    expect(reached()).toEqual([5, 3, 3, 2, 1, 2]);
    expect(rowsOf(funnel, log.events, 'steps')[3]).toEqual({ step: 'Report opened', users: 2, share: 0.4 });
  });

  it('covers users who signed up in a range, whenever they continued', () => {
    five();
    expect(reached({ from: '2026-03-09', to: '2026-04-01' })).toEqual([3, 2, 2, 1, 0, 2]);
    expect(reached({ from: '2026-03-09', to: '2026-03-31' })).toEqual([2, 2, 1, 1, 0, 2]);
    expect(reached({ to: '2026-03-03' })).toEqual([1, 1, 1, 1, 1, 0]);
    expect(reached({ from: '2027-01-01' })).toEqual([]);
  });

  it('groups by month, week and day of the sign-up, including empty ones', () => {
    five();
    const by = (step: 'day' | 'week' | 'month') => rowsOf(funnel, log.events, 'by-sign-up', { by: step });
    expect(by('month')).toEqual([
      { period: '2026-03-01', signedUp: 4, confirmed: 3, analysed: 3, opened: 2, completed: 1, purchased: 2 },
      { period: '2026-04-01', signedUp: 0, confirmed: 0, analysed: 0, opened: 0, completed: 0, purchased: 0 },
      { period: '2026-05-01', signedUp: 1, confirmed: 0, analysed: 0, opened: 0, completed: 0, purchased: 0 },
    ]);
    expect(by('week').map(({ period, signedUp }) => [period, signedUp])).toEqual(
      [1, 2, 0, 0, 1, 0, 0, 0, 1].map((users, nth) => [
        new Date(Date.UTC(2026, 2, 2 + 7 * nth)).toISOString().slice(0, 10),
        users,
      ]),
    );
    expect(by('day')).toHaveLength(61);
  });

  it('counts a changed address as confirmed, and a requested one not', () => {
    signUp('2026-03-02', 'ann');
    signUp('2026-03-02', 'bob', false);
    for (const userId of ['ann', 'bob'])
      log.add('2026-03-03', 'AccountEmailConfirmationAsked', {
        userId,
        requestId: 'r2',
        email: `new-${userId}@example.com`,
        askedAt: noon('2026-03-03'),
      });
    expect(reached()).toEqual([2, 1, 0, 0, 0, 0]);
    log.add('2026-03-03', 'AccountEmailChanged', {
      userId: 'ann',
      formerEmail: emailOf('ann'),
      email: 'new-ann@example.com',
      changedAt: noon('2026-03-03'),
    });
    expect(reached()).toEqual([2, 2, 0, 0, 0, 0]);
  });

  it('counts a paid subscription as a purchase, and a trial not', () => {
    const period = {
      periodStart: noon('2026-03-02'),
      periodEnd: noon('2026-04-02'),
      price: 900,
      currency: 'usd',
      tier: 'tier1',
    } as const;
    const told = (userId: string) => ({ userId, subscriptionId: `s-${userId}`, asOf: noon('2026-03-02') });
    for (const user of ['ann', 'bob']) signUp('2026-03-02', user, false);
    log.add('2026-03-02', 'SubscriptionStarted', {
      ...told('ann'),
      ...period,
      status: 'trialing',
      paid: null,
      startedAt: noon('2026-03-02'),
    });
    const paid = { invoiceId: 'i', paymentIntentId: null, amount: 900, currency: 'usd' };
    log.add('2026-03-02', 'SubscriptionStarted', {
      ...told('bob'),
      ...period,
      status: 'active',
      paid,
      startedAt: noon('2026-03-02'),
    });
    expect(reached()).toEqual([2, 2, 0, 0, 0, 1]);
    log.add('2026-04-02', 'SubscriptionRenewed', { ...told('ann'), ...period, paid, renewedAt: noon('2026-04-02') });
    expect(reached().at(-1)).toBe(2);
  });

  it('does not count free purchases', () => {
    signUp('2026-03-02', 'ann');
    buy('2026-03-02', 'ann', 0);
    expect(reached().at(-1)).toBe(0);
  });

  it('excludes deleted accounts, and those that never got their address', () => {
    five();
    log.add('2026-06-02', 'AccountDeleted', { userId: 'ann', deletedAt: noon('2026-06-02') });
    log.add('2026-06-02', 'EmailRefused', { userId: 'eve', refusedAt: noon('2026-06-02') });
    expect(reached()).toEqual([3, 2, 2, 1, 0, 2]);
  });
});
