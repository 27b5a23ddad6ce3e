import { beforeEach, describe, expect, it } from 'vitest';
import type { ShareMode } from '../../src/model/shares.ts';
import { previews } from '../../src/reports/previews.ts';
import { noon, type PlantedLog, plantedLog, rowsOf, tablesOf } from '../given/plantedLog.ts';

let log: PlantedLog;
beforeEach(() => {
  log = plantedLog();
});

const share = (day: string, shareId: string, mode: ShareMode = 'preview', jobId = `job-of-${shareId}`) =>
  log.add(day, 'ShareCreated', {
    jobId,
    userId: 'ann',
    shareId,
    title: 'A title',
    description: '',
    sharedContent: ['actions'],
    mode,
    expiresAt: null,
    tokenHash: `hash of ${shareId}`,
    createdAt: noon(day),
  });
type Visit = 'ShareViewed' | 'SharePreviewViewed' | 'ShareSignUpClicked' | 'ShareSignedUp';
const visit = (day: string, shareId: string, type: Visit, count = 1) =>
  log.add(day, type, { jobId: `job-of-${shareId}`, shareId, count, until: noon(day) });
const signUp = (day: string, userId: string, shareId?: string) =>
  log.add(day, 'AccountRegistered', {
    userId,
    email: `${userId}@example.com`,
    name: userId,
    passwordHash: 'hash',
    registeredAt: noon(day),
    ...(shareId ? { campaign: { source: 'preview', contentHash: `hash of ${shareId}` } } : {}),
  });
const buy = (day: string, userId: string) =>
  log.add(day, 'FundsAdded', {
    userId,
    paymentIntentId: 'p',
    amount: 900,
    currency: 'usd',
    funds: 900,
    balance: 900,
    quantity: 1,
    addedAt: noon(day),
  });

// By hand: two previews and a full link; 10 + 5 openings of previews, 4 of the full one; 6 viewed; 3 pressed; 2 signed
// up by a link, one of whom bought, twice.
function history(): void {
  share('2026-03-02', 'one');
  share('2026-03-20', 'two');
  share('2026-03-20', 'full', 'full');
  visit('2026-03-03', 'one', 'ShareViewed', 10);
  visit('2026-03-03', 'one', 'SharePreviewViewed', 6);
  visit('2026-03-04', 'one', 'ShareSignUpClicked', 3);
  visit('2026-03-04', 'one', 'ShareSignedUp');
  signUp('2026-03-04', 'bob', 'one');
  visit('2026-04-01', 'two', 'ShareViewed', 5);
  visit('2026-04-01', 'two', 'ShareSignedUp');
  signUp('2026-04-01', 'cid', 'two');
  signUp('2026-04-01', 'dan');
  visit('2026-04-02', 'full', 'ShareViewed', 4);
  buy('2026-05-01', 'bob');
  buy('2026-05-02', 'bob');
  buy('2026-05-02', 'dan');
}

describe('shared links', () => {
  it('have no rows when there are none', () => {
    expect(tablesOf(previews, [])).toMatchObject([{ rows: [] }, { rows: [] }]);
  });

  it('are counted when created', () => {
    share('2026-03-02', 'one');
    expect(rowsOf(previews, log.events, 'by-kind')).toEqual([
      { kind: 'Previews', made: 1, opened: 0, viewed: 0, pressed: 0, signedUp: 0, purchased: 0, conversion: null },
    ]);
  });

  it('separate previews from full reports, up to the first purchase of a user who came by them', () => {
    history();
    expect(rowsOf(previews, log.events, 'by-kind')).toEqual([
      { kind: 'Previews', made: 2, opened: 15, viewed: 6, pressed: 3, signedUp: 2, purchased: 1, conversion: 2 / 15 },
      { kind: 'Full reports', made: 1, opened: 4, viewed: 0, pressed: 0, signedUp: 0, purchased: 0, conversion: 0 },
    ]);
  });

  it('are counted by the time of the event', () => {
    history();
    expect(rowsOf(previews, log.events, 'by-kind', { from: '2026-04-01', to: '2026-05-02' })).toEqual([
      { kind: 'Previews', made: 0, opened: 5, viewed: 0, pressed: 0, signedUp: 1, purchased: 1, conversion: 0.2 },
      { kind: 'Full reports', made: 0, opened: 4, viewed: 0, pressed: 0, signedUp: 0, purchased: 0, conversion: 0 },
    ]);
    expect(
      rowsOf(previews, log.events, 'by-period').map(({ period, made, opened, purchased }) => [
        period,
        made,
        opened,
        purchased,
      ]),
    ).toEqual([
      ['2026-03-01', 3, 10, 0],
      ['2026-04-01', 0, 9, 0],
      ['2026-05-01', 0, 0, 1],
    ]);
  });

  it('are not counted once their audit is deleted', () => {
    history();
    log.add('2026-06-01', 'JobDeleted', { jobId: 'job-of-one', userId: 'ann', deletedAt: noon('2026-06-01') });
    expect(rowsOf(previews, log.events, 'by-kind')[0]).toMatchObject({
      kind: 'Previews',
      made: 1,
      opened: 5,
      signedUp: 1,
      purchased: 0,
    });
    log.add('2026-06-01', 'JobsDeleted', {
      userId: 'ann',
      jobIds: ['job-of-two', 'job-of-full'],
      deletedAt: noon('2026-06-01'),
    });
    expect(rowsOf(previews, log.events, 'by-kind')).toEqual([]);
  });

  it('ignore purchases of deleted accounts, and of users who came otherwise', () => {
    share('2026-03-02', 'one');
    signUp('2026-03-03', 'bob', 'one');
    signUp('2026-03-03', 'cid', 'unknown');
    log.add('2026-03-04', 'AccountDeleted', { userId: 'bob', deletedAt: noon('2026-03-04') });
    buy('2026-03-05', 'bob');
    buy('2026-03-05', 'cid');
    expect(rowsOf(previews, log.events, 'by-kind')[0]).toMatchObject({ purchased: 0 });
  });
});
