/** The progress of users: the rows are right, do not depend on how the log is delivered, and no page scans them. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountEvent } from '../../src/domain/account/events.ts';
import type { ProductEvent } from '../../src/domain/eventTypes.ts';
import type { ActionItem } from '../../src/domain/plan/events.ts';
import { type RecordedEvent, START } from '../../src/eventStore/eventStore.ts';
import type { Progress } from '../../src/projections/userProgress/documents.ts';
import {
  getProgressTotals,
  listUserProgress,
  PROGRESS_SORTS,
  type ProgressQuery,
  userProgress,
} from '../../src/projections/userProgress/userProgress.ts';
import { applyBatch, openLane } from '../../src/projector/projectionLane.ts';
import type { Commit, ReadModels } from '../../src/readModels/readModels.ts';
import { bounds } from '../domain/job/history.ts';
import { FULL, runs } from '../given/fullForm.ts';
import { project, recorded } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';

const at = (hour: number): string => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
const item = (id: string, timeEstimate = 15): ActionItem => ({
  id,
  checkId: 'title-missing',
  findingIds: ['f1'],
  title: 'Write titles',
  category: 'content',
  impact: 'high',
  difficulty: 'easy',
  timeEstimate,
  businessValue: 'More clicks',
  timeToResult: '2-4 weeks',
  problem: 'None.',
  solution: 'Write one.',
  codeExample: null,
  tags: [],
  pages: [],
  evidence: [],
});
const registered = (userId: string): AccountEvent => ({
  type: 'AccountRegistered',
  data: { userId, email: `${userId}@example.com`, name: userId, passwordHash: 'hash', registeredAt: at(0) },
});
const submitted = (jobId: string, userId: string, host: string, hour = 1): ProductEvent => ({
  type: 'JobSubmitted',
  data: { jobId, userId, url: `https://${host}/`, host, bounds, access: 'full', submittedAt: at(hour) },
});
const planned = (jobId: string, userId: string, ...items: readonly ActionItem[]): ProductEvent => ({
  type: 'PlanGenerated',
  data: { jobId, userId, by: 'Built-in analyst', count: items.length, items, generatedAt: at(1) },
});
const completed = (jobId: string, actionId: string, hour = 3): ProductEvent => ({
  type: 'ActionCompleted',
  data: { jobId, actionId, completedAt: at(hour) },
});
const started = (jobId: string, actionId: string, hour = 2): ProductEvent => ({
  type: 'ActionStarted',
  data: { jobId, actionId, startedAt: at(hour) },
});

/** The rows of users that are there, by address and domain. */
function rowsOf(...events: readonly ProductEvent[]): Record<string, object> {
  const documents = Object.values(project(userProgress, ...(events as never[])));
  const emails = new Map(documents.flatMap((user) => (user.kind === 'user' ? [[user.userId, user.email]] : [])));
  return Object.fromEntries(
    documents.flatMap((row) => {
      const email = row.kind === 'row' ? emails.get(row.userId) : undefined;
      return email === undefined ? [] : [[`${email} ${(row as Progress).domain}`, row]];
    }),
  );
}

const ANN = [
  registered('ann'),
  submitted('j1', 'ann', 'one.example'),
  planned('j1', 'ann', item('a', 30), item('b', 45), item('c', 60)),
] as const;
const none = { totalActions: 0, completedActions: 0, inProgressActions: 0, completionPercentage: 0, timeSaved: 0 };

/** In the list that is paged. */
const PAGED = FULL ? 10_000 : 2_000;

describe('the progress of users', () => {
  it('is a row of zeros for a user without action items', () => {
    expect(rowsOf(registered('ann'))).toEqual({
      'ann@example.com –': {
        kind: 'row',
        userId: 'ann',
        domain: '–',
        ...none,
        lastActivity: null,
        users: 1,
        jobs: 0,
      },
    });
    expect(rowsOf(registered('ann'), submitted('j1', 'ann', 'one.example', 5))).toMatchObject({
      'ann@example.com –': { ...none, lastActivity: at(5) },
    });
  });

  it('counts items, completed ones and their minutes', () => {
    expect(rowsOf(...ANN, completed('j1', 'a'), started('j1', 'b', 4))).toEqual({
      'ann@example.com one.example': {
        kind: 'row',
        userId: 'ann',
        domain: 'one.example',
        lastActivity: at(4),
        users: 0,
        jobs: 1,
        totalActions: 3,
        completedActions: 1,
        inProgressActions: 1,
        completionPercentage: 33,
        timeSaved: 30,
      },
    });
  });

  it('counts what is optional once it is a task', () => {
    const suggested = { ...item('s', 20), optional: true };
    const rowAfter = (...events: readonly ProductEvent[]) =>
      rowsOf(
        registered('ann'),
        submitted('j1', 'ann', 'one.example'),
        planned('j1', 'ann', item('a', 30), suggested),
        ...events,
      )['ann@example.com one.example'];
    const chosen = (value: boolean): ProductEvent => ({
      type: 'ActionChosen',
      data: { jobId: 'j1', actionId: 's', chosen: value, chosenAt: at(5) },
    });
    expect(rowAfter()).toMatchObject({ totalActions: 1 });
    expect(rowAfter(chosen(true))).toMatchObject({ totalActions: 2, lastActivity: at(5) });
    expect(rowAfter(chosen(true), chosen(false))).toMatchObject({ totalActions: 1 });
    expect(rowAfter(completed('j1', 's'))).toMatchObject({ totalActions: 2, completedActions: 1, timeSaved: 20 });
    const again: ProductEvent = {
      type: 'PlanRegenerated',
      data: {
        jobId: 'j1',
        by: 'Built-in analyst',
        count: 2,
        items: [item('a', 30), suggested],
        kept: { s: 's' },
        regeneratedAt: at(6),
      },
    };
    expect(rowAfter(chosen(true), again)).toMatchObject({ totalActions: 2 });
    expect(rowAfter(again)).toMatchObject({ totalActions: 1 });
  });

  it('follows every status change and note', () => {
    const rowAfter = (...events: readonly ProductEvent[]) =>
      rowsOf(...ANN, completed('j1', 'a'), ...events)['ann@example.com one.example'];
    const to = { jobId: 'j1', actionId: 'a' };
    expect(rowAfter({ type: 'ActionReopened', data: { ...to, reopenedAt: at(5) } })).toMatchObject({
      completedActions: 0,
      timeSaved: 0,
      lastActivity: at(5),
    });
    expect(rowAfter({ type: 'ActionSetBack', data: { ...to, to: 'in-progress', setBackAt: at(6) } })).toMatchObject({
      inProgressActions: 1,
      timeSaved: 0,
    });
    const undone = { ...to, status: 'todo', startedAt: null, completedAt: null, undoneAt: at(7) } as const;
    expect(rowAfter({ type: 'ActionMoveUndone', data: undone })).toMatchObject({
      completedActions: 0,
      inProgressActions: 0,
      lastActivity: at(7),
    });
    expect(rowAfter({ type: 'ActionNoted', data: { ...to, notes: 'Done by Bob', notedAt: at(8) } })).toMatchObject({
      timeSaved: 30,
      lastActivity: at(8),
    });
  });

  it('adds up the audits of one domain, and keeps domains and users apart', () => {
    const rows = rowsOf(
      ...ANN,
      ...[submitted('j2', 'ann', 'one.example'), planned('j2', 'ann', item('a', 10)), completed('j2', 'a')],
      ...[submitted('j3', 'ann', 'two.example'), planned('j3', 'ann', item('a', 20))],
      ...[
        registered('bob'),
        submitted('j4', 'bob', 'one.example'),
        planned('j4', 'bob', item('a', 40)),
        completed('j4', 'a'),
      ],
    );
    expect(rows).toMatchObject({
      'ann@example.com one.example': { totalActions: 4, completedActions: 1, timeSaved: 10 },
      'ann@example.com two.example': { totalActions: 1, timeSaved: 0 },
      'bob@example.com one.example': { totalActions: 1, completionPercentage: 100, timeSaved: 40 },
    });
    expect(Object.keys(rows)).toHaveLength(3);
  });

  it('replaces items that were generated again, keeping the progress of those that continue', () => {
    const anew: readonly ProductEvent[] = [
      {
        type: 'PlanRegenerated',
        data: { jobId: 'j1', by: 'AI', count: 2, items: [item('x', 5)], kept: { y: 'a' }, regeneratedAt: at(5) },
      },
      { type: 'PlanExtended', data: { jobId: 'j1', items: [item('y', 50)] } },
    ];
    expect(rowsOf(...ANN, completed('j1', 'a'), ...anew)['ann@example.com one.example']).toMatchObject({
      totalActions: 2,
      completedActions: 1,
      timeSaved: 50,
    });
  });

  it('follows a change of the address, and is removed with its job and its account', () => {
    const changed: ProductEvent = {
      type: 'AccountEmailChanged',
      data: { userId: 'ann', formerEmail: 'ann@example.com', email: 'new@example.com', changedAt: at(5) },
    };
    expect(Object.keys(rowsOf(...ANN, changed))).toEqual(['new@example.com one.example']);
    const deleted: ProductEvent = { type: 'JobDeleted', data: { jobId: 'j1', userId: 'ann', deletedAt: at(5) } };
    expect(rowsOf(...ANN, deleted)).toMatchObject({ 'ann@example.com –': none });
    const all: ProductEvent = { type: 'JobsDeleted', data: { userId: 'ann', jobIds: ['j1'], deletedAt: at(5) } };
    expect(rowsOf(...ANN, all, deleted)).toMatchObject({ 'ann@example.com –': { lastActivity: null } });
    const gone: ProductEvent = { type: 'AccountDeleted', data: { userId: 'ann', deletedAt: at(6) } };
    expect(project(userProgress, ...([...ANN, gone, all, deleted] as never[]))).toEqual({});
    expect(rowsOf(registered('ann'), { type: 'EmailRefused', data: { userId: 'ann', refusedAt: at(1) } })).toEqual({});
  });
});

const USERS = ['ann', 'bob'];
const JOBS = ['j1', 'j2', 'j3', 'j4'];
const ownerOf = (jobId: string): string => USERS[JOBS.indexOf(jobId) % 2] ?? '';
const hostOf = (jobId: string): string => (jobId === 'j4' ? 'two.example' : 'one.example');

/** Possible events of two accounts with four jobs, in a possible order. */
const acts = fc.array(
  fc.tuple(
    fc.constantFrom('complete', 'start', 'note', 'delete', 'deleteAll', 'email', 'close'),
    fc.constantFrom(...JOBS),
    fc.constantFrom('a', 'b'),
    fc.nat(9),
  ),
  { maxLength: 25 },
);
function historyOf(list: readonly (readonly [string, string, string, number])[]): readonly ProductEvent[] {
  const begin = JOBS.flatMap((jobId) => [
    submitted(jobId, ownerOf(jobId), hostOf(jobId)),
    planned(jobId, ownerOf(jobId), item('a', 10), item('b', 20)),
  ]);
  const then = list.map(([act, jobId, actionId, hour]): ProductEvent => {
    const userId = ownerOf(jobId);
    if (act === 'complete') return completed(jobId, actionId, hour);
    if (act === 'start') return started(jobId, actionId, hour);
    if (act === 'note') return { type: 'ActionNoted', data: { jobId, actionId, notes: null, notedAt: at(hour) } };
    if (act === 'delete') return { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(hour) } };
    if (act === 'deleteAll')
      return {
        type: 'JobsDeleted',
        data: { userId, jobIds: JOBS.filter((each) => ownerOf(each) === userId), deletedAt: at(hour) },
      };
    if (act === 'close') return { type: 'AccountDeleted', data: { userId, deletedAt: at(hour) } };
    return {
      type: 'AccountEmailChanged',
      data: { userId, formerEmail: 'x', email: `${userId}${hour}@example.com`, changedAt: at(hour) },
    };
  });
  return [...USERS.map(registered), ...begin, ...then];
}

/** A commit that breaks off after some of its writes, as in a store without transactions: sums first, then the rest. */
class Broken extends Error {}
function breaking(readModels: ReadModels, chosen: () => readonly boolean[] | null): ReadModels {
  const commit = async (commits: readonly Commit[]) => {
    const kept = chosen();
    if (kept === null) return readModels.commit(commits);
    const [only] = commits;
    const checkpoint = only && (await readModels.checkpoint(only.model, only.build));
    const broken = kept.length % commits.length;
    const written = commits.slice(0, broken + 1).map((each, nth) => ({
      ...each,
      checkpoint: checkpoint ?? START,
      writes: nth < broken ? each.writes : each.writes.filter((_, at) => kept[at % kept.length]),
    }));
    await readModels.commit(written);
    throw new Broken();
  };
  return new Proxy(readModels, { get: (target, name) => (name === 'commit' ? commit : Reflect.get(target, name)) });
}

const NOW = (): string => '2026-01-01T00:00:00.000Z';
const contentOf = (readModels: ReadModels, build: string): Promise<object> =>
  documentsOf(readModels, 'userProgress', build);

describe('its read model', () => {
  it('is the same in any batches, rebuilt, and after commits that broke off anywhere', async () => {
    const deliveries = fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 9 }),
        kept: fc.option(fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })),
      }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(acts, deliveries, async (list, turns) => {
        const events: readonly RecordedEvent[] = recorded(historyOf(list));
        const readModels = memoryReadModels();
        const clean = await openLane(readModels, userProgress, 'clean');
        await applyBatch(readModels, [clean], { events, upTo: events.at(-1)?.position ?? '' }, NOW);
        let rough = await openLane(readModels, userProgress, 'rough');
        let next = 0;
        for (let turn = 0; next < events.length; turn += 1) {
          const { size, kept } = turns[turn % turns.length] ?? { size: 5, kept: null };
          const batch = events.slice(next, next + size);
          const upTo = batch.at(-1)?.position ?? '';
          // Broken off once, and then repeated, perhaps in other batches.
          const failing = turn % 2 === 0 ? kept : null;
          try {
            await applyBatch(
              breaking(readModels, () => failing),
              [rough],
              { events: batch, upTo },
              NOW,
            );
            next += batch.length;
          } catch (error) {
            if (!(error instanceof Broken)) throw error;
            // By the same process, or by another one.
            if (turn % 4 === 0) rough = await openLane(readModels, userProgress, 'rough');
          }
        }
        expect(await contentOf(readModels, 'rough')).toEqual(await contentOf(readModels, 'clean'));
        expect(await readModels.parked()).toEqual([]);
        await readModels.close();
      }),
      { seed: 20_261_123, numRuns: runs(150) },
    );
  });

  it('has the sums of all users, without deleted ones', async () => {
    const readModels = memoryReadModels();
    const lane = await openLane(readModels, userProgress, 'v1');
    await readModels.serve('userProgress', 'v1');
    expect(await getProgressTotals(readModels)).toEqual({
      users: 0,
      total: 0,
      completed: 0,
      inProgress: 0,
      minutes: 0,
    });
    const events = recorded<ProductEvent>([
      ...ANN,
      completed('j1', 'b'),
      registered('bob'),
      { type: 'AccountDeleted', data: { userId: 'bob', deletedAt: at(5) } },
    ]);
    await applyBatch(readModels, [lane], { events, upTo: events.at(-1)?.position ?? '' }, NOW);
    expect(await getProgressTotals(readModels)).toEqual({
      users: 1,
      total: 3,
      completed: 1,
      inProgress: 0,
      minutes: 45,
    });
    await readModels.close();
  });

  it('writes little for a status change, however many audits its user has', async () => {
    const readModels = memoryReadModels();
    const lane = await openLane(readModels, userProgress, 'v1');
    const jobs = Array.from({ length: 3_000 }, (_, nth) => `j${nth}`);
    const before = jobs.flatMap((jobId) => [submitted(jobId, 'ann', 'one.example'), planned(jobId, 'ann', item('a'))]);
    const events = recorded<ProductEvent>([registered('ann'), ...before, completed('j7', 'a')]);
    const apply = (batch: readonly RecordedEvent[]) =>
      applyBatch(readModels, [lane], { events: batch, upTo: batch.at(-1)?.position ?? '' }, NOW);
    await apply(events.slice(0, -1));
    const documents = await documentsOf(readModels, 'userProgress', 'v1');
    await apply(events.slice(-1));
    const changed = Object.entries(await documentsOf(readModels, 'userProgress', 'v1')).filter(
      ([id, document]) => !isDeepStrictEqual(document, documents[id]),
    );
    expect(changed.map(([id]) => id.replace(/:.*/, '')).sort()).toEqual(['all', 'job', 'site', 'totals']);
    expect(JSON.stringify(changed).length).toBeLessThan(1_500);
    await readModels.close();
  });

  it('pages many users by every column', async () => {
    const readModels = memoryReadModels();
    const lane = await openLane(readModels, userProgress, 'v1');
    await readModels.serve('userProgress', 'v1');
    const userId = (nth: number): string => `user-${String(nth).padStart(5, '0')}`;
    const events = recorded<ProductEvent>(
      Array.from({ length: PAGED }, (_, nth) => [
        registered(userId(nth)),
        ...(nth % 4 === 0
          ? [
              submitted(`j${nth}`, userId(nth), `${nth}.example`, nth % 24),
              planned(`j${nth}`, userId(nth), item('a', nth), item('b')),
            ]
          : []),
        ...(nth % 8 === 0 ? [completed(`j${nth}`, 'a', nth % 24)] : []),
      ]).flat(),
    );
    for (let from = 0; from < events.length; from += 2_000) {
      const batch = events.slice(from, from + 2_000);
      await applyBatch(readModels, [lane], { events: batch, upTo: batch.at(-1)?.position ?? '' }, NOW);
    }
    for (const sort of PROGRESS_SORTS) {
      for (const order of ['asc', 'desc'] as const) {
        const query: ProgressQuery = { sort, order, limit: 100 };
        const first = await listUserProgress(readModels, query);
        const second = await listUserProgress(readModels, {
          ...query,
          ...(first.cursor === null ? {} : { cursor: first.cursor }),
        });
        const rows = [...first.documents, ...second.documents];
        expect(new Set(rows.map(({ id }) => id)).size).toBe(200);
        const values = rows.map(({ data }) => data[sort]);
        const sorted = [...values].sort((a, b) => (a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1));
        expect(values).toEqual(order === 'asc' ? sorted : sorted.reverse());
      }
    }
    const found = await listUserProgress(readModels, {
      sort: 'timeSaved',
      order: 'asc',
      search: 'user-0123',
      limit: 100,
    });
    expect(found.documents.map(({ data }) => data.timeSaved)).toEqual(
      found.documents.map(({ data }) => data.timeSaved).sort((a, b) => a - b),
    );
    expect(found.documents.map(({ data }) => data.email).sort()).toEqual(
      Array.from({ length: 10 }, (_, nth) => `user-0123${nth}@example.com`),
    );
    // More than a page: by address.
    const many = await listUserProgress(readModels, { sort: 'timeSaved', order: 'asc', search: 'user-01', limit: 100 });
    const next = await listUserProgress(readModels, {
      sort: 'timeSaved',
      order: 'asc',
      search: 'user-01',
      limit: 100,
      cursor: many.cursor ?? '',
    });
    expect([...many.documents, ...next.documents].map(({ data }) => data.email)).toEqual(
      Array.from({ length: 200 }, (_, nth) => `user-01${String(nth).padStart(3, '0')}@example.com`),
    );
    for (const sort of PROGRESS_SORTS) {
      for (const order of ['asc', 'desc'] as const) {
        const whole = await listUserProgress(readModels, { sort, order, search: 'user-000', limit: 1_000 });
        expect(whole.documents).toHaveLength(100);
        const values = whole.documents.map(({ data }) => data[sort]);
        const sorted = [...values].sort((a, b) => (a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1));
        expect(values).toEqual(order === 'asc' ? sorted : sorted.reverse());
      }
    }
    expect((await getProgressTotals(readModels)).users).toBe(PAGED);
    await readModels.close();
  });
});
