/** Watching: commit order, each once, resuming, filters, slow consumers. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, Query, ReadModels } from '../../src/readModels/readModels.ts';
import { runs } from '../given/fullForm.ts';
import {
  at,
  codeOf,
  follow,
  HALLS,
  put,
  type ReadModelsFactory,
  ROOMS,
  remove,
  room,
  served,
  take,
  write,
} from './readModelsHarness.ts';

const SEED = 20_260_302;

export function describeWatching(store: () => ReadModels, factory: ReadModelsFactory, effort: number): void {
  describe('watching', () => {
    beforeEach(() => served(store()));

    it('RM60 changes come in commit order, each once, with the state before and after', async () => {
      const changes = follow(store());
      await write(store(), [put('a', 1), put('b', 2)]);
      await write(store(), [put('a', 3, { price: 99 })]);
      await write(store(), [remove('a', 4)]);
      await write(store(), [put('a', 2)]);
      await write(store(), [put('a', 6)]);
      expect(await take(changes, 5)).toEqual(['INSERT a@1', 'INSERT b@2', 'UPDATE a@3', 'DELETE a@4', 'INSERT a@6']);
      await write(store(), [put('b', 7, { price: 1 })]);
      expect((await changes.next()).value).toEqual({
        model: 'rooms',
        id: 'b',
        kind: 'UPDATE',
        data: room({ price: 1 }),
        old: room(),
        position: at(7),
      } satisfies Change);
      await changes.return?.();
    });

    it('RM61 what was not written is not told: skipped writes, other models, builds that do not serve, commits that failed', async () => {
      await store().prepare(ROOMS, 'v2');
      await served(store(), HALLS);
      const changes = follow(store());
      await write(store(), [put('a', 5)]);
      await write(store(), [put('a', 5), put('a', 4)]);
      await write(store(), [put('h', 6)], 'halls');
      await write(store(), [put('x', 7)], 'rooms', 'v2');
      await write(store(), [remove('never', 7)]);
      await codeOf(write(store(), [put('y', 8), { id: 'z', position: at(8), data: { bad: 1n } }]));
      await write(store(), [put('b', 9)]);
      expect(await take(changes, 2)).toEqual(['INSERT a@5', 'INSERT b@9']);
    });

    it('RM62 with `after`, first the newest state of what changed since, deletions too, then live, without a gap', async () => {
      await write(store(), [put('a', 1), put('b', 2), put('c', 3)]);
      await write(store(), [put('a', 4, { price: 4 }), remove('b', 5)]);
      let received = 0;
      const changes = follow(store(), {
        after: at(2),
        onCaughtUp: () => {
          received += 1;
        },
      });
      await write(store(), [put('d', 6)]);
      expect(await take(changes, 4)).toEqual(['UPDATE c@3', 'UPDATE a@4', 'DELETE b@5', 'INSERT d@6']);
      const next = changes.next();
      expect(received).toBe(1);
      await write(store(), [put('e', 7)]);
      expect((await next).value).toMatchObject({ id: 'e', kind: 'INSERT' });
      expect(received).toBe(1);
    });

    it('RM63 a change during the catch-up comes once, in its newest state', async () => {
      await write(store(), [put('a', 1), put('b', 2)]);
      const changes = follow(store(), { after: at(0) });
      await write(store(), [put('b', 3, { price: 3 })]);
      expect(await take(changes, 1)).toEqual(['UPDATE a@1']);
      await write(store(), [put('c', 4)]);
      expect(await take(changes, 2)).toEqual(['UPDATE b@3', 'INSERT c@4']);
    });

    it('RM64 where: only matching documents; leaving is a deletion, entering an insertion', async () => {
      const changes = follow(store(), { where: { ownerId: 'ada', open: true } });
      await write(store(), [put('a', 1), put('b', 2, { ownerId: 'bob' }), put('c', 3, { open: false })]);
      await write(store(), [put('a', 4, { ownerId: 'bob' }), put('c', 5), remove('b', 6)]);
      await write(store(), [remove('c', 7)]);
      expect(await take(changes, 4)).toEqual(['INSERT a@1', 'DELETE a@4', 'INSERT c@5', 'DELETE c@7']);
      expect(() => follow(store(), { where: { "x' OR 1": 1 } })).toThrow(
        expect.objectContaining({ code: 'INVALID_QUERY' }),
      );
    });

    it('RM65 where with `after`: own documents, and deletions told apart by the fields that a tombstone keeps', async () => {
      await write(store(), [
        put('a', 1),
        put('b', 2, { ownerId: 'bob' }),
        put('c', 3),
        put('d', 4, { ownerId: 'bob' }),
      ]);
      await write(store(), [remove('c', 5), remove('d', 6), put('a', 7, { price: 7 })]);
      const ada = follow(store(), { after: at(0), where: { ownerId: 'ada' } });
      expect(await take(ada, 2)).toEqual(['DELETE c@5', 'UPDATE a@7']);
      const owner = follow(store(), { after: at(4), where: { ownerId: 'bob' } });
      expect((await owner.next()).value).toMatchObject({
        id: 'd',
        kind: 'DELETE',
        data: null,
        old: { ownerId: 'bob' },
      });
      // A tombstone keeps only the fields of the definition.
      const all = follow(store(), { after: at(4) });
      expect(JSON.stringify([(await all.next()).value, (await all.next()).value])).not.toMatch(/Blue|Oslo|price/);
    });

    it('RM75 what changed since a position is counted up to a limit: own documents, and own deletions where a tombstone says whose', async () => {
      await served(store(), HALLS);
      await write(store(), [
        put('a', 1),
        put('b', 2, { ownerId: 'bob' }),
        put('c', 3),
        put('d', 4, { ownerId: 'bob' }),
        put('e', 5),
      ]);
      await write(store(), [put('h', 6), put('i', 7), put('j', 8, { ownerId: 'bob' })], 'halls');
      await write(store(), [remove('c', 9), remove('d', 10)]);
      await write(store(), [remove('i', 11)], 'halls');
      const counted = (after: number, limit: number, where?: Query['where'], model = 'rooms') =>
        store().countChanged(model, { after: at(after), limit, ...(where ? { where } : {}) });
      expect(
        await Promise.all([counted(0, 100), counted(3, 100), counted(10, 100), counted(0, 4), counted(0, 1)]),
      ).toEqual([5, 3, 0, 4, 1]);
      const ada = { ownerId: 'ada' };
      expect(
        await Promise.all([counted(0, 100, ada), counted(1, 100, ada), counted(5, 100, ada), counted(0, 2, ada)]),
      ).toEqual([3, 2, 1, 2]);
      // Nothing says whose a deleted hall was.
      expect(await Promise.all([counted(0, 100, ada, 'halls'), counted(0, 100, undefined, 'halls')])).toEqual([1, 3]);
      expect(await take(follow(store(), { models: ['halls'], after: at(0), where: ada }), 1)).toEqual(['UPDATE h@6']);
      expect(await counted(0, 100, undefined, 'unknown')).toBe(0);
      expect(await codeOf(store().countChanged('rooms', { after: '12', limit: 1 }))).toBe('INVALID_POSITION');
    });

    it('RM66 several models in one watch come in commit order; resumed, in the order of their positions', async () => {
      await served(store(), HALLS);
      const live = follow(store(), { models: ['rooms', 'halls'] });
      await store().commit([
        { model: 'rooms', build: 'v1', checkpoint: at(3), writes: [put('a', 1), put('b', 3)] },
        { model: 'halls', build: 'v1', checkpoint: at(3), writes: [put('h', 2)] },
      ]);
      expect(await take(live, 3)).toEqual(['INSERT a@1', 'INSERT b@3', 'INSERT h@2']);
      expect(await take(follow(store(), { models: ['rooms', 'halls'], after: at(0) }), 3)).toEqual([
        'UPDATE a@1',
        'UPDATE h@2',
        'UPDATE b@3',
      ]);
    });

    it('RM67 a switch tells what the new build knows beyond the old one, and then its changes', async () => {
      await write(store(), [put('a', 1), put('b', 2)]);
      const changes = follow(store());
      await store().prepare(ROOMS, 'v2');
      await write(store(), [put('a', 1), put('b', 4, { price: 4 })], 'rooms', 'v2');
      await store().serve('rooms', 'v2');
      await write(store(), [put('c', 5)], 'rooms', 'v2');
      expect(await take(changes, 2)).toEqual(['UPDATE b@4', 'INSERT c@5']);
    });

    it('RM68 a watch that began before anything served sees the first build', async () => {
      const changes = follow(store(), { models: ['halls'] });
      await store().prepare(HALLS, 'v1');
      await write(store(), [put('h', 1)], 'halls');
      await store().serve('halls', 'v1');
      expect(await take(changes, 1)).toEqual(['UPDATE h@1']);
    });

    it('RM69 ends by its signal, by return and by close, also while it waits', async () => {
      const stop = new AbortController();
      const watches = [follow(store(), { signal: stop.signal }), follow(store()), follow(store())];
      const waiting = watches.map((watch) => watch.next());
      stop.abort();
      expect(await waiting[0]).toEqual({ done: true, value: undefined });
      await watches[1]?.return?.();
      expect((await waiting[1])?.done).toBe(true);
      await store().close();
      expect((await waiting[2])?.done).toBe(true);
      expect(follow).toBeTypeOf('function');
    });

    it('RM70 an aborted signal ends it before it begins', async () => {
      expect((await follow(store(), { signal: AbortSignal.abort() }).next()).done).toBe(true);
    });

    it('RM71 two watches go at their own pace', async () => {
      const fast = follow(store());
      const slow = follow(store());
      await write(store(), [put('a', 1)]);
      expect(await take(fast, 1)).toEqual(['INSERT a@1']);
      await write(store(), [put('a', 2)]);
      expect(await take(fast, 1)).toEqual(['UPDATE a@2']);
      expect(await take(slow, 2)).toEqual(['INSERT a@1', 'UPDATE a@2']);
    });
  });

  describe('a slow watch', () => {
    let current: Awaited<ReturnType<ReadModelsFactory>>;
    beforeEach(async () => {
      current = await factory({ watchQueueLimit: 4 });
      await served(current.readModels);
    });
    afterEach(() => current.dispose());

    it('RM72 one that lags gets each document once, in its newest state, in order of position; then every change again', async () => {
      const changes = follow(current.readModels);
      for (let position = 1; position <= 300; position++)
        await write(current.readModels, [put(`r${position % 3}`, position, { price: position })]);
      expect(await take(changes, 3)).toEqual(['INSERT r1@298', 'INSERT r2@299', 'INSERT r0@300']);
      await write(current.readModels, [put('r0', 301)]);
      await write(current.readModels, [put('r0', 302)]);
      expect(await take(changes, 2)).toEqual(['UPDATE r0@301', 'UPDATE r0@302']);
    });

    it('RM73 more documents than fit are kept by name and read when it is their turn', async () => {
      const changes = follow(current.readModels);
      for (let position = 1; position <= 20; position++)
        await write(current.readModels, [put(`r${position}`, position)]);
      await write(current.readModels, [remove('r19', 21)]);
      const seen = await take(changes, 20);
      expect(seen.slice(0, 4)).toEqual(['INSERT r1@1', 'INSERT r2@2', 'INSERT r3@3', 'INSERT r4@4']);
      expect(seen.slice(4, 18)).toEqual([...Array.from({ length: 14 }, (_, n) => `UPDATE r${n + 5}@${n + 5}`)]);
      expect(seen.slice(18)).toEqual(['UPDATE r20@20', 'DELETE r19@21']);
    });

    it('RM74 any pace, any stop and resume: what a follower holds is what the store holds', async () => {
      const step = fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constant('write' as const),
            id: fc.integer({ min: 0, max: 7 }),
            ownerId: fc.constantFrom('ada', 'bob'),
            gone: fc.boolean(),
          }),
        },
        {
          weight: 4,
          arbitrary: fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 6 }) }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
          const { readModels } = current;
          await readModels.drop('rooms', 'v1');
          await served(readModels);
          const follower = createFollower(readModels);
          let position = 0;
          for (const action of steps) {
            if (action.kind === 'take') await follower.take(action.count);
            else if (action.kind === 'resume') follower.resume();
            else {
              position += 1;
              const id = `r${action.id}`;
              await write(readModels, [
                action.gone ? remove(id, position) : put(id, position, { ownerId: action.ownerId, price: position }),
              ]);
            }
          }
          await follower.rest();
          // Ownership changes here, which no tombstone shows to a resumed follower: only its own documents' newest
          // states are compared.
          const { documents } = await readModels.find('rooms', { limit: 1000 });
          expect(follower.held()).toEqual(Object.fromEntries(documents.map(({ id, data }) => [id, data])));
        }),
        { seed: SEED, numRuns: Math.ceil(runs(200) * effort) },
      );
    });
  });
}

/**
 * A client: applies the changes, and refuses to go back. Having caught up, it stops and resumes from the last position
 * it saw.
 */
function createFollower(readModels: ReadModels) {
  const rows = new Map<string, object>();
  let last = at(0);
  let stop = new AbortController();
  let changes = open();

  function open(): AsyncIterator<Change, undefined> {
    const { signal } = stop;
    const ends = stop;
    return follow(readModels, { after: last, signal, onCaughtUp: () => ends.abort() });
  }
  function resume(): void {
    stop.abort();
    stop = new AbortController();
    changes = open();
  }
  /** False when nothing was left. */
  async function takeOne(): Promise<boolean> {
    const { value } = await changes.next();
    if (!value) return false;
    expect(value.position >= last).toBe(true);
    last = value.position;
    if (value.data === null) rows.delete(value.id);
    else rows.set(value.id, value.data);
    return true;
  }
  return {
    resume,
    take: async (count: number) => {
      for (let taken = 0; taken < count; taken++) if (!(await takeOne())) resume();
    },
    rest: async () => {
      resume();
      while (await takeOne());
    },
    held: () => Object.fromEntries(rows),
  };
}
