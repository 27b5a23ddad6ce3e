/** Raw bodies, which are checked before anybody knows who sent them. */
import { PassThrough } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Context } from 'koa';
import { afterEach, expect, test, vi } from 'vitest';
import type { AnyRoute } from '../../../src/http/routing/route.ts';
import { bodyReader } from '../../../src/http/server/bodies.ts';

afterEach(() => void vi.restoreAllMocks());

const read = bodyReader({ kind: 'raw', maxBytes: 1_000 });

function arrived(text: string): Promise<unknown> {
  const req = Object.assign(new PassThrough(), { headers: {} });
  req.end(text);
  return read({ req, res: {} } as unknown as Context, {} as AnyRoute);
}

test.each([1, 2, 20])('of %i that arrive at once, each is checked in a round of its own', async (number) => {
  let time = 0;
  // Each takes longer than others should wait.
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 10));
  let [round, isOver] = [0, false];
  const rounds = (async () => {
    for (; !isOver; round += 1) await nextRound();
  })();
  const checkedIn: number[] = [];
  const bodies = Array.from({ length: number }, async (_, nth) => {
    const body = await arrived(`{"nth":${nth}}`);
    checkedIn.push(round);
    return String(body);
  });
  expect(await Promise.all(bodies)).toEqual(Array.from({ length: number }, (_, nth) => `{"nth":${nth}}`));
  isOver = true;
  await rounds;
  expect(new Set(checkedIn).size).toBe(number);
});
