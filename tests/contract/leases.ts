/** The contract of every adapter of the lease port. */
import { describe, expect, it } from 'vitest';
import type { LeaseRecord, Leases } from '../../src/readModels/leases.ts';

export type LeasesHarness = { readonly leases: Leases; removeByHand(name: string): Promise<void> };

export function describeLeases(adapter: string, open: () => Promise<LeasesHarness>): void {
  describe(`leases on ${adapter}`, () => {
    async function taken(leases: Leases, owner: string, seen: LeaseRecord | null = null): Promise<LeaseRecord> {
      const record = await leases.acquire({ name: 'projector', owner, seen, tokenAbove: 0 });
      if (!record) throw new Error('The lease was not to be had.');
      return record;
    }

    it('is empty before the first is taken, and then has it', async () => {
      const { leases } = await open();
      expect(await leases.read('projector')).toBeNull();
      const record = await taken(leases, 'ada');
      expect(record).toEqual({ name: 'projector', owner: 'ada', token: 1, beat: 1 });
      expect(await leases.read('projector')).toEqual(record);
      expect(await leases.read('another')).toBeNull();
    });

    it('is taken by one of many that take it at once, absent or held', async () => {
      const { leases } = await open();
      for (let round = 0; round < 20; round++) {
        const seen = await leases.read('projector');
        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            leases.acquire({ name: 'projector', owner: `${round}-${n}`, seen, tokenAbove: 0 }),
          ),
        );
        const winners = claims.filter((claim) => claim !== null);
        expect(winners).toHaveLength(1);
        expect(winners[0]?.token).toBe((seen?.token ?? 0) + 1);
        expect(await leases.read('projector')).toEqual(winners[0]);
      }
    });

    it('advances the heartbeat with each renewal, and keeps owner and token', async () => {
      const { leases } = await open();
      const record = await taken(leases, 'ada');
      expect(await leases.renew(record)).toBe(true);
      expect(await leases.renew(record)).toBe(true);
      expect(await leases.read('projector')).toEqual({ ...record, beat: record.beat + 2 });
    });

    it('is not taken by a caller that has not seen the newest heartbeat', async () => {
      const { leases } = await open();
      const seen = await taken(leases, 'ada');
      await leases.renew(seen);
      expect(await leases.acquire({ name: 'projector', owner: 'bob', seen, tokenAbove: 0 })).toBeNull();
      expect(await leases.acquire({ name: 'projector', owner: 'bob', seen: null, tokenAbove: 0 })).toBeNull();
      expect(await leases.read('projector')).toMatchObject({ owner: 'ada' });
    });

    it('is neither renewed nor released by an owner who lost it', async () => {
      const { leases } = await open();
      const lost = await taken(leases, 'ada');
      const record = await taken(leases, 'bob', lost);
      expect(record.token).toBe(lost.token + 1);
      expect(await leases.renew(lost)).toBe(false);
      await leases.release(lost);
      expect(await leases.read('projector')).toEqual(record);
      expect(await leases.renew(record)).toBe(true);
    });

    it('keeps its token when released, so that the next is greater', async () => {
      const { leases } = await open();
      const first = await taken(leases, 'ada');
      await leases.release(first);
      const free = await leases.read('projector');
      expect(free).toMatchObject({ owner: null, token: 1 });
      expect(await leases.renew(first)).toBe(false);
      expect((await taken(leases, 'ada', free)).token).toBe(2);
    });

    it('removed by hand is lost to its owner, and continues above the next owner’s known token', async () => {
      const { leases, removeByHand } = await open();
      const record = await taken(leases, 'ada');
      await removeByHand('projector');
      expect(await leases.renew(record)).toBe(false);
      expect(await leases.acquire({ name: 'projector', owner: 'bob', seen: record, tokenAbove: 7 })).toBeNull();
      expect(await leases.acquire({ name: 'projector', owner: 'bob', seen: null, tokenAbove: 7 })).toMatchObject({
        token: 8,
      });
    });

    it('lists those with a common prefix, each in its current state', async () => {
      const { leases } = await open();
      const take = async (name: string) =>
        leases.acquire({ name, owner: `owner of ${name}`, seen: await leases.read(name), tokenAbove: 0 });
      for (const name of ['worker/a', 'worker/b', 'worker/b', 'workers', 'work', 'worker/ä']) await take(name);
      await leases.renew((await leases.read('worker/a'))!);
      const listed = await leases.list('worker/');
      expect([...listed].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: 'worker/a', owner: 'owner of worker/a', token: 1, beat: 2 },
        { name: 'worker/b', owner: 'owner of worker/b', token: 2, beat: 2 },
        { name: 'worker/ä', owner: 'owner of worker/ä', token: 1, beat: 1 },
      ]);
      expect(await leases.list('none/')).toEqual([]);
    });

    it('is removed in the state that was read, held or released, and not after a change', async () => {
      const { leases } = await open();
      const record = await taken(leases, 'ada');
      await leases.renew(record);
      await leases.remove(record);
      expect(await leases.renew(record)).toBe(true);
      const seen = (await leases.read('projector'))!;
      await leases.remove(seen);
      expect(await leases.read('projector')).toBeNull();
      expect(await leases.renew(record)).toBe(false);
      await leases.remove(seen);
      const next = (await leases.acquire({ name: 'projector', owner: 'bob', seen: null, tokenAbove: 5 }))!;
      expect(next.token).toBe(6);
      await leases.remove(seen);
      await leases.release(next);
      await leases.remove(next);
      expect(await leases.read('projector')).toMatchObject({ owner: null, token: 6 });
      await leases.remove({ ...next, owner: null });
      expect(await leases.list('')).toEqual([]);
    });

    it('separates leases of different names, whatever is in the name', async () => {
      const { leases } = await open();
      await taken(leases, 'ada');
      const odd = '$gt{"a":1}.x';
      expect(await leases.acquire({ name: odd, owner: 'bob', seen: null, tokenAbove: 0 })).toMatchObject({
        name: odd,
        token: 1,
      });
      expect(await leases.acquire({ name: 'projector/5', owner: 'bob', seen: null, tokenAbove: 0 })).toMatchObject({
        token: 1,
      });
      expect(await leases.read('projector')).toMatchObject({ owner: 'ada', token: 1 });
    });
  });
}
