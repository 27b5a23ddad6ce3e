import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurn } from '../../../src/http/reports/costlyTurns.ts';

test('lets everybody else have a turn between two costly reads, however many wait', async () => {
  let [rounds, isOver, active, most] = [0, false, 0, 0];
  const others = (async () => {
    while (!isOver) {
      await nextRound();
      rounds += 1;
    }
  })();
  const began: number[] = [];
  const reads = Array.from({ length: 20 }, (_, nth) =>
    inTurn(async () => {
      began.push(rounds);
      active += 1;
      most = Math.max(most, active);
      await nextRound();
      active -= 1;
      return nth;
    }),
  );
  expect(await Promise.all(reads)).toEqual(Array.from({ length: 20 }, (_, nth) => nth));
  isOver = true;
  await others;
  expect(most).toBeLessThanOrEqual(2);
  // Two at a time, each after four rounds.
  for (let nth = 2; nth < began.length; nth += 1)
    expect((began[nth] ?? 0) - (began[nth - 2] ?? 0)).toBeGreaterThanOrEqual(4);
});

test('one that fails holds up nobody', async () => {
  const failed = inTurn(() => Promise.reject(new Error('gone')));
  await expect(failed).rejects.toThrow('gone');
  expect(await inTurn(async () => 'next')).toBe('next');
});
