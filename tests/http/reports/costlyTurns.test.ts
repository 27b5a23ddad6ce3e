import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns, inTurn, listInTurn } from '../../../src/http/reports/costlyTurns.ts';

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
    inTurn(`owner ${nth}`, async () => {
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
  expect(most).toBe(2);
  // Two at a time, each after four rounds.
  for (let nth = 2; nth < began.length; nth += 1)
    expect((began[nth] ?? 0) - (began[nth - 2] ?? 0)).toBeGreaterThanOrEqual(4);
});

/** Reads of each owner, asked for in this order; the order in which they ended. */
async function order(asked: readonly (readonly [owner: string, reads: number])[]): Promise<string[]> {
  const ended: string[] = [];
  const read = (owner: string) =>
    inTurn(owner, async () => {
      await nextRound();
      ended.push(owner);
    });
  await Promise.all(asked.flatMap(([owner, reads]) => Array.from({ length: reads }, () => read(owner))));
  return ended;
}

test.each([
  ['none', [], 0],
  ['one', [['ann', 100]], 1],
  [
    'two',
    [
      ['ann', 100],
      ['ben', 100],
    ],
    2,
  ],
] as const)('a read waits for one of each other owner, with %s who have hundreds', async (_, others, most) => {
  const ended = await order([...others, ['cat', 1]]);
  expect(ended.indexOf('cat')).toBeLessThanOrEqual(most);
  expect(ended).toHaveLength(1 + 100 * others.length);
});

test('the reads of one owner come one after another', async () => {
  let [active, most] = [0, 0];
  const reads = Array.from({ length: 5 }, (_, nth) =>
    inTurn('ann', async () => {
      active += 1;
      most = Math.max(most, active);
      await nextRound();
      active -= 1;
      return nth;
    }),
  );
  expect(await Promise.all(reads)).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(1);
});

test('one that fails holds up nobody', async () => {
  const failed = inTurn('ann', () => Promise.reject(new Error('gone')));
  const next = inTurn('ann', async () => 'next');
  await expect(failed).rejects.toThrow('gone');
  expect(await next).toBe('next');
});

test.each([0, 1, 20].flatMap((many) => [true, false].map((known) => ({ many, known }))))(
  'a short read goes before those of $many owners whose reads are long (known: $known)',
  async ({ many, known }) => {
    let now = 0;
    const turn = createTurns(() => now);
    let ended: string[] = [];
    const read = (owner: string, ms: number) =>
      turn(owner, async () => {
        now += ms;
        ended.push(owner);
      });
    const longReads = () => Array.from({ length: many }, (_, n) => read(`owner ${n}`, 1_000));
    if (known) await Promise.all(longReads());
    await read('cat', 10);
    ended = [];
    // Theirs wait already.
    await Promise.all([...longReads(), read('cat', 10)]);
    expect(ended.indexOf('cat')).toBeLessThanOrEqual(2);
    expect(ended).toHaveLength(many + 1);
  },
);

test('a list waits for reads of the same owner', async () => {
  const lists = Array.from({ length: 5 }, (_, nth) =>
    listInTurn('ann', new AbortController().signal, () => inTurn('ann', async () => nth)),
  );
  expect(await Promise.all(lists)).toEqual([0, 1, 2, 3, 4]);
});
