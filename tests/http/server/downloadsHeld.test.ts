/** Downloads whose clients take nothing of them: how many of one user the server keeps open. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { Download } from '../../../src/http/request/reply.ts';
import { route } from '../../../src/http/routing/route.ts';
import { routeGroups } from '../../../src/http/server/app.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

let begun = 0;
let ended = 0;

/** Sends its headers at once, and nothing more until nobody wants it any longer. */
const unfinished = route({
  method: 'GET',
  path: '/unfinished',
  access: 'user',
  summary: 'A download that does not end',
  response: z.string(),
  handler: async () => {
    begun += 1;
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    let chunks = 1;
    const iterator: AsyncIterator<string> = {
      next: async () => {
        if (chunks-- > 0) return { done: false, value: 'x'.repeat(2_000) };
        await stopped;
        return { done: true, value: undefined };
      },
      return: async () => {
        ended += 1;
        stop();
        return { done: true, value: undefined };
      },
    };
    return new Download('unfinished.json', { [Symbol.asyncIterator]: () => iterator });
  },
});

let app: TestApp;
beforeAll(async () => {
  const [own, ...others] = routeGroups({ payments: null });
  app = await startTestApp({ app: { groups: [{ ...own, routes: [...own.routes, unfinished] }, ...others] } });
});
afterAll(() => app.close());

type Opened = { readonly status: number; leave(): void };

async function open(token: string): Promise<Opened> {
  const leaving = new AbortController();
  const { status } = await fetch(`${app.url}/api/v1/unfinished`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  return { status, leave: () => leaving.abort() };
}

/** Until one is refused. */
async function openAll(token: string): Promise<{ readonly kept: readonly Opened[]; readonly refused: number }> {
  const kept: Opened[] = [];
  for (;;) {
    const opened = await open(token);
    if (opened.status !== 200) return { kept, refused: opened.status };
    kept.push(opened);
  }
}

it('refuses a user whose downloads wait unread, ends what it refused, and no other user', async () => {
  const [ann, bob] = [await app.signUp(), await app.signUp()];
  const { kept, refused } = await openAll(ann.token);
  expect(refused).toBe(503);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(40);
  expect([begun, ended]).toEqual([kept.length + 1, 1]);
  const other = await open(bob.token);
  expect(other.status).toBe(200);
  for (const each of [...kept, other]) each.leave();
  await expect.poll(() => ended).toBe(begun);
  const again = await open(ann.token);
  expect(again.status).toBe(200);
  again.leave();
});

it('gives everybody a first one, also when all the room is taken', async () => {
  const all: Opened[] = [];
  let isFull = false;
  while (!isFull) {
    const { kept } = await openAll((await app.signUp()).token);
    all.push(...kept);
    isFull = kept.length === 1;
  }
  const last = await open((await app.signUp()).token);
  expect(last.status).toBe(200);
  for (const each of [...all, last]) each.leave();
  await expect.poll(() => ended).toBe(begun);
});
