import { afterEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/readModels/claims.ts';
import { createOrphanedClaims } from '../../../src/work/sweeps/orphanedClaims.ts';
import { rest, toyWork } from '../../given/work/toyWork.ts';

const still = new AbortController().signal;
let work: ReturnType<typeof toyWork>;
afterEach(() => work.stop());

async function open(): Promise<{
  readonly sweep: () => Promise<number>;
  readonly left: () => Promise<readonly string[]>;
}> {
  work = toyWork();
  await work.ready;
  const { run } = createOrphanedClaims({ ...work, kinds: ['toy'] });
  return {
    sweep: async () => (await run(null, still)).done,
    left: async () => (await work.claims.list({ kind: 'toy', limit: 1_000 })).map(({ itemId }) => itemId),
  };
}

async function take(itemId: string, opening: string): Promise<Claim> {
  return (await work.claims.take({
    item: { kind: 'toy', itemId, opening, lane: itemId },
    seen: null,
    holder: 'one',
    laneLimit: 1,
  })) as Claim;
}

describe('claims without an item', () => {
  it('are removed, and no others', async () => {
    const { sweep, left } = await open();
    const opening = await work.enqueue('pending', 'ann');
    await rest();
    await work.claims.letGo(await take('pending', opening), { attempts: 1 });
    await work.claims.letGo(await take('gone', opening), { attempts: 1, notBefore: '2099-01-01T00:00:00.000Z' });
    await work.claims.letGo(await take('settled beyond the list', opening), { settledAt: '9'.repeat(20) });
    await take('in hand', opening);
    expect(await sweep()).toBe(1);
    expect(await left()).toEqual(['in hand', 'pending', 'settled beyond the list']);
    expect(await sweep()).toBe(0);
  });

  it('are found among many', async () => {
    const { sweep, left } = await open();
    for (let at = 0; at < 450; at += 1) await work.claims.letGo(await take(`gone ${at}`, '1'.repeat(20)), {});
    expect(await sweep()).toBe(450);
    expect(await left()).toEqual([]);
  });

  it('stay where there is no list to compare them with', async () => {
    const { left } = await open();
    await work.claims.letGo(await take('gone', '1'.repeat(20)), {});
    const unserved: typeof work.readModels = { ...work.readModels, servedPosition: async () => null };
    expect(
      (await createOrphanedClaims({ readModels: unserved, claims: work.claims, kinds: ['toy'] }).run(null, still)).done,
    ).toBe(0);
    expect(await left()).toEqual(['gone']);
  });
});
