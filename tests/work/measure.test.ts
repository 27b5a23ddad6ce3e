import { afterEach, expect, it } from 'vitest';
import { measureWork } from '../../src/work/measure.ts';
import { rest, toyWork, until } from '../given/work/toyWork.ts';

let work: ReturnType<typeof toyWork>;
afterEach(() => work.stop());

it('pending work is reported by any process, running work by its own process', async () => {
  work = toyWork({ parallel: 1, tries: 2 });
  await work.ready;
  const measure = (workers: Parameters<typeof measureWork>[0]['workers']) =>
    measureWork({ readModels: work.readModels, kinds: ['toy', 'other'], workers, now: work.now });
  expect(await measure(null)).toEqual({
    kinds: [
      { kind: 'toy', depth: 0, oldestSeconds: 0, givenUp: 0, here: null },
      { kind: 'other', depth: 0, oldestSeconds: 0, givenUp: 0, here: null },
    ],
    followers: [],
  });
  const runner = work.start();
  const lag = { follower: 'announcements', position: null, behind: 7, ageMs: 1_500 };
  const workers = { state: runner.state, followerLag: async () => [lag] };
  await work.enqueue('a', 'ann');
  await work.enqueue('b', 'ann');
  await until(() => work.running.length === 1);
  await work.pass(20_000);
  const { kinds, followers } = await measure(workers);
  expect(kinds[0]).toMatchObject({
    depth: 2,
    oldestSeconds: 20,
    here: { running: 1, tries: 1, failed: 0, givenUp: 0 },
  });
  expect(followers).toEqual([{ follower: 'announcements', behind: 7, oldestSeconds: 1.5 }]);
  work.running[0]?.fail();
  await until(() => runner.state()[0]?.tries === 2);
  expect((await measure(workers)).kinds[0]?.here).toMatchObject({ running: 1, failed: 1 });
});

it('work scheduled for later is as old as it has been due', async () => {
  work = toyWork();
  await work.ready;
  const DAYS_MS = 3 * 24 * 60 * 60 * 1_000;
  await work.enqueue('a', 'ann', { dueAt: new Date(work.clock.now() + DAYS_MS).toISOString() });
  await rest();
  const oldest = async () =>
    (await measureWork({ readModels: work.readModels, kinds: ['toy'], workers: null, now: work.now })).kinds[0];
  expect(await oldest()).toMatchObject({ depth: 1, oldestSeconds: 0 });
  work.clock.advance(DAYS_MS + 2_000);
  expect(await oldest()).toMatchObject({ depth: 1, oldestSeconds: 2 });
});
