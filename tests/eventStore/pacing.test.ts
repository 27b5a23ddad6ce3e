/** Long loops let others in by the clock. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/eventStore/pacing.ts';

/** Rounds of the event loop until it resolves. */
async function roundsUntil(done: Promise<unknown>): Promise<number> {
  let isDone = false;
  void done.then(() => (isDone = true));
  let rounds = 0;
  for (await Promise.resolve().then(() => undefined); !isDone; rounds += 1) await nextRound();
  return rounds;
}

describe('a pace', () => {
  it('goes on at once until a slice of time is used up, then waits for a round, and begins a new slice', async () => {
    let now = 0;
    const pace = createPace('background', () => now);
    let others = 0;
    const counting = setInterval(() => (others += 1), 0);
    for (let step = 0; step < 100; step += 1) await pace.pass();
    expect([pace.isDue(), others]).toEqual([false, 0]);
    now += 5;
    await pace.pass();
    now += 5;
    expect(pace.isDue()).toBe(true);
    expect(await roundsUntil(pace.pass())).toBeGreaterThan(0);
    expect(pace.isDue()).toBe(false);
    clearInterval(counting);
  });

  it('is shared by all steps of a loop that run side by side', async () => {
    let now = 0;
    const pace = createPace('request', () => now);
    now += 10;
    expect(await roundsUntil(Promise.all(Array.from({ length: 50 }, () => pace.pass())))).toBeLessThan(4);
  });

  it('lets requests take turns, and goes on in every round in the background', async () => {
    let now = 0;
    const paces = (kind: 'request' | 'background') => Array.from({ length: 20 }, () => createPace(kind, () => now));
    const [requests, background] = [paces('request'), paces('background')];
    now += 10;
    expect(await roundsUntil(Promise.all(background.map((pace) => pace.pass())))).toBeLessThan(4);
    expect(await roundsUntil(Promise.all(requests.map((pace) => pace.pass())))).toBeGreaterThanOrEqual(19);
  });
});
