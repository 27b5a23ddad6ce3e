/** Long work shares the event loop: its delay for others is counted in rounds. */
import { expect, test } from 'vitest';
import { inSlices } from '../../src/audit/timeSlices.ts';

/** More than a slice. */
const STEP_MS = 10;

test('a request of a few rounds waits for one slice per round, however many tasks run at once', async () => {
  let time = 0;
  let round = 0;
  let done = false;
  const goRound = (): void => {
    round += 1;
    if (!done) setImmediate(goRound);
  };
  setImmediate(goRound);
  const slices: { readonly work: string; readonly round: number }[] = [];
  function* steps(work: string): Generator<void, string> {
    for (let step = 0; step < 4; step += 1) {
      slices.push({ work, round });
      time += STEP_MS;
      yield;
    }
    return work;
  }
  const works = ['a', 'b', 'c'];
  const ended = await Promise.all(works.map((work) => inSlices(steps(work), { now: () => time })));
  done = true;
  expect(ended).toEqual(works);
  // The first step of each runs at once; then they alternate, each once before any runs again.
  const resumed = slices.slice(works.length);
  expect(resumed.map(({ work }) => work)).toEqual([...works, ...works, ...works]);
  const between = resumed.slice(1).map((slice, index) => slice.round - (resumed[index]?.round ?? 0));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(4);
});
