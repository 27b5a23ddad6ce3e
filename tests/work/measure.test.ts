import { afterEach, expect, it } from 'vitest';
import { measureWork } from '../../src/work/measure.ts';
import { toyWork, until } from '../given/work/toyWork.ts';

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
  expect(kinds[0]).toMatchObject({ depth: 2, oldestSeconds: 20, here: { running: 1, tries: 1, failed: 0, givenUp: 0 } });
  expect(followers).toEqual([{ follower: 'announcements', behind: 7, oldestSeconds: 1.5 }]);
  work.running[0]?.fail();
  await until(() => runner.state()[0]?.tries === 2);
  expect((await measure(workers)).kinds[0]?.here).toMatchObject({ running: 1, failed: 1 });
});
