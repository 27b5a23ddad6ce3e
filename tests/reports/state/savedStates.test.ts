/** Saved states that outlive their process: continued where they are valid, and nowhere else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { FORMER_REPORT_NAMES } from '../../../src/model/reports.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { createKeptReports } from '../../../src/reports/keptReports.ts';
import type { Report } from '../../../src/reports/report.ts';
import { untilOf } from '../../../src/reports/run.ts';
import { createSavedStates, savedKinds } from '../../../src/reports/state/savedStates.ts';
import { createOrphanedSnapshots } from '../../../src/work/sweeps/orphanedSnapshots.ts';
import { happened, logOf, write } from '../../given/reports.ts';

type Days = { readonly days: string[]; readonly byUser: Map<string, string[]> };

/** The same list under two names, which must stay one. */
const days: Report<Days> = {
  name: 'days',
  title: 'Days',
  description: 'When users were seen.',
  types: ['SessionStarted', 'CreditsGranted'],
  version: 1,
  initial: () => ({ days: [], byUser: new Map() }),
  evolve(state, { data, metadata }) {
    const { userId } = data as { readonly userId: string };
    if (!state.byUser.has(userId)) state.byUser.set(userId, state.days);
    state.byUser.get(userId)?.push(metadata.at.slice(8, 10));
    return state;
  },
  tables: () => [],
};

const on = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const grant = (day: number, userId = 'ann') =>
  happened(`billing-${userId}`, on(day), 'CreditsGranted', {
    userId,
    grantId: `grant-${day}`,
    credits: 1,
    reason: 'A gift',
    balance: 1,
    grantedAt: on(day),
  });
const session = (day: number, userId = 'bob') =>
  happened(`session-${userId}`, on(day), 'SessionStarted', {
    sessionId: userId,
    userId,
    accessTokenHash: 'a',
    refreshTokenHash: 'r',
    startedAt: on(day),
    accessExpiresAt: on(day + 1),
    refreshExpiresAt: on(day + 20),
  });
const never = new AbortController().signal;

let readModels: SqliteReadModels;
let time: number;
beforeEach(() => {
  readModels = openSqliteReadModels({ file: ':memory:' });
  time = Date.parse('2026-04-01T00:00:00.000Z');
});
afterEach(() => readModels.close());

/** A process that has just started: nothing is in its memory. */
function started(log: EventStore, report: Report<Days> = days) {
  const asked: number[] = [];
  const store = {
    head: () => log.head(),
    readAll: (how: Parameters<EventStore['readAll']>[0] = {}) => {
      if (how.filter?.types?.includes('CreditsGranted')) asked.push(Number(how.after ?? 0));
      return log.readAll(how);
    },
  };
  const failures: unknown[] = [];
  const saved = createSavedStates({ store: log, snapshots: readModels.snapshots });
  const kept = createKeptReports({
    store,
    now: () => time,
    saved,
    onFailure: (error) => failures.push(error),
    grownBy: 1,
  });
  return {
    asked,
    failures,
    async read(until: string | null = null) {
      const { state } = await kept.read({ report, until: until === null ? null : untilOf(until), signal: never });
      await kept.settled();
      return (state as Days).days.join(' ');
    },
  };
}

const saved = () => readModels.snapshots.list({ limit: 10 });

describe('a restarted process', () => {
  it('reads only later events, with the same result', async () => {
    const log = await logOf(grant(1), session(2), grant(3));
    expect(await started(log).read()).toBe('01 02 03');
    expect(await saved()).toMatchObject([
      { name: 'report-days', key: 'now', version: 1, position: (await log.head()).toString() },
    ]);
    await write(log, grant(4), session(5));
    const again = started(log);
    expect(await again.read()).toBe('01 02 03 04 05');
    expect(again.asked).toEqual([3]);
    expect(again.failures).toEqual([]);
  });

  it('reads everything for another version, of a past moment, and for an unreadable state', async () => {
    const log = await logOf(grant(1), grant(2));
    await started(log).read();
    const next = started(log, { ...days, version: 2 });
    expect([await next.read(), next.asked]).toEqual(['01 02', [0]]);
    const past = started(log, { ...days, version: 2 });
    expect([await past.read('2026-03-01'), past.asked]).toEqual(['01', [0]]);
    const [head] = await saved();
    if (!head) throw new Error('nothing was saved');
    await write(log, grant(3));
    await readModels.snapshots.write({ ...head, version: 3, state: 'no state at all' });
    const damaged = started(log, { ...days, version: 3 });
    expect([await damaged.read(), damaged.asked, damaged.failures.length]).toEqual(['01 02 03', [0], 1]);
    // A report without a version is not saved.
    const { version: _, ...unversioned } = days;
    const own = started(log, { ...unversioned, name: 'own' });
    expect([await own.read(), (await saved()).map(({ name }) => name)]).toEqual(['01 02 03', ['report-days']]);
  });

  it('ignores a state of another log, such as before a backup was restored', async () => {
    await started(await logOf(grant(1), grant(2), grant(3))).read();
    const other = await logOf(grant(1), grant(2), grant(9));
    const process = started(other);
    expect([await process.read(), process.asked]).toEqual(['01 02 09', [0]]);
    const shorter = started(await logOf(grant(1)));
    expect([await shorter.read(), shorter.asked]).toEqual(['01', [0]]);
  });

  it('ignores a state with content erased since, however long ago', async () => {
    const log = await logOf(grant(1), session(2), grant(3));
    await started(log).read();
    await write(log, happened('account-bob', on(4), 'AccountDeleted', { userId: 'bob', deletedAt: on(4) }));
    await log.truncate('session-bob', 1n);
    await log.delete('session-bob');
    const process = started(log);
    expect(await process.read()).toBe('01 03');
    // States saved from then on do not have it.
    const last = started(log);
    expect([await last.read(), last.asked]).toEqual(['01 03', [4]]);
  });

  it('leaves no state behind with erased content, if nobody asks again', async () => {
    const log = await logOf(grant(1), session(2), grant(3));
    const money: Report<Days> = { ...days, name: 'money', types: ['CreditsGranted'] };
    for (const report of [days, money]) await started(log, report).read();
    const { snapshots } = readModels;
    const sweep = createOrphanedSnapshots({ snapshots, kinds: savedKinds(log, [days, money]) });
    expect((await sweep.run(null, never)).done).toBe(0);
    await write(log, happened('account-bob', on(4), 'AccountDeleted', { userId: 'bob', deletedAt: on(4) }));
    expect((await sweep.run(null, never)).done).toBe(1);
    expect((await saved()).map(({ name }) => name)).toEqual(['report-money']);
  });

  it('leaves no state behind under a former name, which nobody reads', async () => {
    const log = await logOf(grant(1), session(2));
    const [former = ''] = FORMER_REPORT_NAMES.keys();
    for (const report of [days, { ...days, name: former }]) await started(log, report).read();
    expect(await saved()).toHaveLength(2);
    expect(
      (
        await createOrphanedSnapshots({ snapshots: readModels.snapshots, kinds: savedKinds(log, [days]) }).run(
          null,
          never,
        )
      ).done,
    ).toBe(1);
    expect((await saved()).map(({ name }) => name)).toEqual([`report-${days.name}`]);
  });

  it('saves nothing while something may still be erased', async () => {
    const log = await logOf(
      grant(1),
      session(2),
      happened('account-bob', on(3), 'AccountDeleted', { userId: 'bob', deletedAt: on(3) }),
    );
    time = Date.parse(on(3)) + 1_000;
    const process = started(log);
    expect([await process.read(), await saved()]).toEqual(['01 02', []]);
    await log.delete('session-bob');
    time += 60_000;
    expect(await process.read()).toBe('01');
    expect(await saved()).toHaveLength(1);
  });

  it('continues from a state that no deletion erases, whatever was deleted', async () => {
    const money: Report<Days> = { ...days, name: 'money', types: ['CreditsGranted'] };
    const log = await logOf(grant(1), session(2), grant(3));
    await started(log, money).read();
    await write(log, happened('account-bob', on(4), 'AccountDeleted', { userId: 'bob', deletedAt: on(4) }), grant(5));
    const process = started(log, money);
    expect([await process.read(), process.asked]).toEqual(['01 03 05', [3]]);
  });
});
