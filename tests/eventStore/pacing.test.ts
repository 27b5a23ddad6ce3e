/** Long loops let others in by the clock. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPacing } from '../../src/eventStore/pacing.ts';

/** Rounds of the event loop until it resolves. */
async function roundsUntil(done: Promise<unknown>): Promise<number> {
  let isDone = false;
  void done.then(() => (isDone = true));
  let rounds = 0;
  for (await Promise.resolve().then(() => undefined); !isDone; rounds += 1) await nextRound();
  return rounds;
}

let now = 0;
let createPace: ReturnType<typeof createPacing>;
beforeEach(() => {
  now = 0;
  createPace = createPacing(() => now);
});

describe('a pace', () => {
  it('goes on at once until a slice of time is used up, then waits for a round, which begins a new slice', async () => {
    const pace = createPace('background');
    expect(await roundsUntil(pace.pass())).toBe(0);
    now += 5;
    expect(await roundsUntil(pace.pass())).toBe(0);
    now += 5;
    expect(pace.isDue()).toBe(true);
    expect(await roundsUntil(pace.pass())).toBeGreaterThan(0);
    expect(pace.isDue()).toBe(false);
  });

  it('counts the time of all loops of a round, however short each is', async () => {
    const paces = Array.from({ length: 10 }, () => createPace('background'));
    const due = paces.map((pace) => {
      const isDue = pace.isDue();
      now += 1;
      return isDue;
    });
    expect(due).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
    await nextRound();
    expect(createPace('background').isDue()).toBe(false);
  });

  it('is shared by all steps of a loop that run side by side', async () => {
    const pace = createPace('request');
    pace.isDue();
    now += 10;
    expect(await roundsUntil(Promise.all(Array.from({ length: 50 }, () => pace.pass())))).toBeLessThan(4);
  });

  it('lets requests take turns, and goes on in every round in the background', async () => {
    const roundsOf = (kind: 'request' | 'background'): Promise<number> => {
      const paces = Array.from({ length: 20 }, () => createPace(kind));
      paces[0]?.isDue();
      now += 10;
      return roundsUntil(Promise.all(paces.map((pace) => pace.pass())));
    };
    expect(await roundsOf('background')).toBeLessThan(4);
    await nextRound();
    expect(await roundsOf('request')).toBeGreaterThanOrEqual(19);
  });
});
