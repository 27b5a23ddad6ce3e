/** How many of a user's audits come first and about when each begins, from the events of the log. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasStartedSince, jobIndex } from '../../src/projections/jobIndex.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { freeTimes, placesInQueue, startTimes } from '../../src/work/queue.ts';
import { fold, recorded } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const NOW = '2026-03-10T12:00:00.000Z';
/** Minutes before NOW, to the second. */
const ago = (minutes: number): string => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();

const bounds = { maxPages: 50, maxMs: 180_000 };
const submitted = (jobId: string, userId: string, minutes: number) => ({
  type: 'JobSubmitted',
  data: {
    jobId,
    userId,
    url: 'https://example.com/',
    host: 'example.com',
    bounds,
    access: 'full',
    submittedAt: ago(minutes),
  },
});
const started = (jobId: string, minutes: number) => ({
  type: 'JobStarted',
  data: { jobId, attempt: 1, startedAt: ago(minutes) },
});
const completed = (jobId: string, minutes: number) => ({
  type: 'JobCompleted',
  data: { jobId, completedAt: ago(minutes) },
});
const done = (jobId: string, userId: string, from: number, to: number) => [
  submitted(jobId, userId, from),
  started(jobId, from),
  completed(jobId, to),
];

let readModels: ReadModels;
beforeEach(() => {
  readModels = memoryReadModels();
});
afterEach(() => readModels.close());

async function given(...events: readonly { readonly type: string; readonly data: object }[]): Promise<void> {
  await readModels.prepare(jobIndex, 'v1');
  await readModels.serve(jobIndex.name, 'v1');
  const position = String(events.length).padStart(20, '0');
  const documents = fold<object, { type: string; data: object }>(jobIndex as AnyProjection, recorded(events));
  await readModels.commit([
    {
      model: jobIndex.name,
      build: 'v1',
      checkpoint: position,
      writes: Object.entries(documents).map(([id, data]) => ({ id, position, data })),
    },
  ]);
}
const turns = async (userId: string, ...jobIds: string[]) =>
  Object.fromEntries(await placesInQueue(readModels, { userId, jobIds, now: NOW }));

/** Three audits of four minutes each, of another user. */
const THREE = [...done('x1', 'eve', 40, 36), ...done('x2', 'eve', 30, 26), ...done('x3', 'eve', 20, 16)];

describe('the place in the queue', () => {
  it('counts earlier audits of the same user that have not begun', async () => {
    await given(
      submitted('a1', 'ann', 9),
      submitted('b1', 'bob', 8),
      submitted('a2', 'ann', 7),
      submitted('a3', 'ann', 7),
      submitted('gone', 'ann', 6),
      submitted('a4', 'ann', 5),
      started('a1', 4),
      { type: 'JobCancelled', data: { jobId: 'gone', by: 'user:ann', cancelledAt: ago(1) } },
    );
    const ahead = async (...ids: string[]) =>
      Object.fromEntries(Object.entries(await turns('ann', ...ids)).map(([id, turn]) => [id, turn.ahead]));
    expect(await ahead('a4', 'a1', 'a2', 'gone', 'a3', 'unknown')).toEqual({ a2: 0, a3: 1, a4: 2 });
    expect(await ahead('a4')).toEqual({ a4: 2 });
    // Audits not asked for count all the same.
    expect(await ahead('a2', 'a4')).toEqual({ a2: 0, a4: 2 });
    expect(await ahead()).toEqual({});
  });

  it('costs the same few queries for 500 jobs as for one, and none where nothing waits', async () => {
    const ids = Array.from({ length: 500 }, (_, nth) => `a${nth}`);
    await given(...THREE, ...ids.map((id) => submitted(id, 'ann', 9)));
    const asked: string[] = [];
    const counting = new Proxy(readModels, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          asked.push(String(name));
          return value.apply(target, args);
        };
      },
    });
    const found = await placesInQueue(counting, { userId: 'ann', jobIds: ids, now: NOW });
    expect([found.size, found.get('a0')?.ahead, found.get('a499')?.ahead]).toEqual([500, 0, 499]);
    // Whether others wait is not asked: with free slots nobody knows when they are taken.
    expect(asked.sort()).toEqual(['count', 'find', 'find', 'find', 'getMany']);
    asked.length = 0;
    await placesInQueue(counting, { userId: 'ann', jobIds: [], now: NOW });
    expect(asked).toEqual([]);
  });
});

describe('the estimated start', () => {
  it('follows from the running audits and the median of the last hour', async () => {
    await given(
      ...THREE,
      ...['r1', 'r2', 'w0', 'w1', 'w2'].map((id) => submitted(id, 'ann', 5)),
      started('r1', 3),
      started('r2', 1),
    );
    const at = (turn: { startsAt: string | null } | undefined) => turn?.startsAt;
    const found = await turns('ann', 'w0', 'w1', 'w2');
    // Of four minutes r1 has one left and r2 three; then each place is taken for four more.
    expect([at(found.w0), at(found.w1), at(found.w2)]).toEqual([ago(-1), ago(-3), ago(-5)]);
  });

  it('uses the user’s own durations where there are enough', async () => {
    const own = [...done('o1', 'ann', 50, 40), ...done('o2', 'ann', 30, 20), ...done('o3', 'ann', 25, 15)];
    await given(
      ...THREE,
      ...own,
      ...['r1', 'r2', 'w0'].map((id) => submitted(id, 'ann', 5)),
      started('r1', 2),
      started('r2', 1),
    );
    expect((await turns('ann', 'w0')).w0).toEqual({ ahead: 0, startsAt: ago(-8) });
  });

  it.each([
    [
      'fewer than three audits ended in the last hour',
      [...done('y1', 'eve', 90, 61), ...THREE.slice(0, 6)],
      [started('r1', 2), started('r2', 1)],
    ],
    ['others wait too', [...THREE, submitted('b1', 'bob', 1)], [started('r1', 2), started('r2', 1)]],
    ['one runs longer than any of the last hour', THREE, [started('r1', 4.5), started('r2', 1)]],
    ['a place of the user stays empty', THREE, [started('r1', 2)]],
  ])('is unknown when %s', async (_, before, running) => {
    await given(...before, ...['r1', 'r2', 'w0'].map((id) => submitted(id, 'ann', 5)), ...running);
    const [turn] = Object.values(await turns('ann', 'w0'));
    expect(turn?.startsAt).toBeNull();
  });

  it.each([
    ['is said while all others who wait are at their limit', ['zoe1', 'zoe2'], ago(-1)],
    ['is not said once one of them has less in hand', ['zoe1'], null],
  ])('%s', async (_, running, startsAt) => {
    const waiting = ['aaron', 'ann', 'zoe'].flatMap((userId) =>
      ['1', '2', '3'].map((nth) => submitted(`${userId}${nth}`, userId, 5)),
    );
    const begun = ['aaron1', 'aaron2', 'ann1', 'ann2', ...running].map((id) => started(id, 3));
    await given(...THREE, ...waiting, ...begun);
    expect((await turns('ann', 'ann3')).ann3).toEqual({ ahead: 0, startsAt });
  });

  it('is now for an audit submitted to free places', async () => {
    await given(...THREE, ...['w0', 'w1', 'w2'].map((id) => submitted(id, 'ann', 0)));
    expect(Object.values(await turns('ann', 'w0', 'w1', 'w2')).map(({ startsAt }) => startsAt)).toEqual([
      NOW,
      NOW,
      ago(-4),
    ]);
  });

  it('ignores audits that were cancelled or ended before they began', async () => {
    const short = ['c1', 'c2', 'c3'].flatMap((id) => [
      submitted(id, 'eve', 10),
      started(id, 10),
      { type: 'JobCancelled', data: { jobId: id, by: 'user:eve', cancelledAt: ago(9.9) } },
    ]);
    const never = [
      submitted('f1', 'eve', 10),
      { type: 'JobFailed', data: { jobId: 'f1', code: 'INTERNAL', reason: 'r', failedAt: ago(9) } },
    ];
    await given(...short, ...never, submitted('w0', 'ann', 0));
    expect((await turns('ann', 'w0')).w0).toEqual({ ahead: 0, startsAt: null });
  });
});

describe('the places of a user', () => {
  const minute = 60_000;
  const durations = [2, 4, 6].map((minutes) => minutes * minute);

  it('past the median are estimated from audits that ran longer', () => {
    const free = freeTimes({
      now: NOW,
      running: [{ startedAt: ago(5) }, { startedAt: ago(3) }],
      durations,
      isNew: false,
    });
    expect(free).toEqual({ typical: 4 * minute, free: [Date.parse(ago(-1)), Date.parse(ago(-1))] });
  });

  it('are taken again as soon as they are free', () => {
    expect(startTimes({ typical: 10, free: [3, 0] }, 5)).toEqual([0, 3, 10, 13, 20]);
  });
});

it('says whether a user’s audit has started since a time, whatever became of it, unless it is deleted', async () => {
  await given(
    ...done('a1', 'ann', 40, 36),
    submitted('b1', 'bob', 30),
    ...[submitted('c1', 'cec', 30), started('c1', 20)],
    { type: 'JobCancelled', data: { jobId: 'c1', by: 'user:cec', cancelledAt: ago(19) } },
  );
  const since = (userId: string, minutes: number) => hasStartedSince(readModels, userId, ago(minutes));
  expect(await Promise.all(['ann', 'bob', 'cec'].map((userId) => since(userId, 45)))).toEqual([true, false, true]);
  expect(await Promise.all(['ann', 'cec'].map((userId) => since(userId, 25)))).toEqual([false, true]);
});
