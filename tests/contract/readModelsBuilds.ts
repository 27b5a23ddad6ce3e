/** Builds side by side, and waiting for a position. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelDefinition, ReadModels } from '../../src/readModels/readModels.ts';
import {
  at,
  codeOf,
  follow,
  HALLS,
  put,
  type ReadModelsFactory,
  ROOMS,
  served,
  take,
  write,
} from './readModelsHarness.ts';

/** Long enough never to end a wait that should succeed. */
const TIMEOUT_MS = 60_000;

export function describeBuilds(
  store: () => ReadModels,
  reopen: () => Promise<ReadModels>,
  factory: ReadModelsFactory,
): void {
  describe('builds of another version of the program', () => {
    const OTHER = { ...ROOMS, version: 2, shape: 2 };
    let opened: Awaited<ReturnType<ReadModelsFactory>>;
    const open = async (reads: readonly ModelDefinition[]): Promise<ReadModels> => {
      opened = await factory({ reads });
      return opened.readModels;
    };
    afterEach(() => opened.dispose());

    it('RM60 a model is not read while none of its builds serves, or one with documents of another shape does', async () => {
      const models = await open([OTHER, HALLS]);
      const reads = (): readonly Promise<unknown>[] => [
        models.get('rooms', 'r1'),
        models.getMany('rooms', ['r1']),
        models.find('rooms', {}),
        models.count('rooms'),
        models.countChanged('rooms', { after: at(0), limit: 10 }),
      ];
      const refused = async () => new Set(await Promise.all(reads().map(codeOf)));
      expect(await refused()).toEqual(new Set(['READ_MODELS_UNAVAILABLE']));
      await served(models);
      await write(models, [put('r1', 1)]);
      expect(await refused()).toEqual(new Set(['READ_MODELS_UNAVAILABLE']));
      expect(await models.servedPosition('rooms')).toBeNull();
      // The projector still sees what is there, and replaces it.
      expect(await models.serving('rooms')).toBe('v1');
      expect(await models.count('rooms', {}, 'v1')).toBe(1);
      await models.prepare(OTHER, 'v2');
      await write(models, [put('r1', 1)], 'rooms', 'v2');
      await models.serve('rooms', 'v2');
      expect(await refused()).toEqual(new Set(['no error']));
      expect(await models.servedPosition('rooms')).toBe(at(1));
      expect(await codeOf(models.get('halls', 'h1'))).toBe('READ_MODELS_UNAVAILABLE');
    });

    it('RM61 a watch ends as soon as a build with documents of another shape serves', async () => {
      const models = await open([ROOMS]);
      await served(models);
      const changes = follow(models);
      const first = take(changes, 1);
      await write(models, [put('r1', 1)]);
      expect(await first).toEqual(['INSERT r1@1']);
      const next = codeOf(changes.next());
      await models.prepare(OTHER, 'v2');
      await write(models, [put('r1', 1)], 'rooms', 'v2');
      await models.serve('rooms', 'v2');
      await write(models, [put('r1', 2)], 'rooms', 'v2');
      expect(await next).toBe('READ_MODELS_UNAVAILABLE');
      expect(await codeOf(follow(models).next())).toBe('READ_MODELS_UNAVAILABLE');
    });
  });

  describe('builds', () => {
    beforeEach(() => served(store()));

    it('RM40 before the first build serves, reads find nothing', async () => {
      expect(await store().serving('halls')).toBeNull();
      expect(await store().servedPosition('halls')).toBeNull();
      expect(await store().servedPosition('rooms')).toBe(at(0));
      expect(await store().get('halls', 'x')).toBeNull();
      expect((await store().find('halls', {})).documents).toEqual([]);
      expect(await store().count('halls')).toBe(0);
      await store().prepare(HALLS, 'v1');
      await write(store(), [put('h1', 1)], 'halls');
      expect(await store().get('halls', 'h1')).toBeNull();
      expect(await store().get('halls', 'h1', 'v1')).not.toBeNull();
    });

    it('RM41 preparing again changes nothing that is there', async () => {
      await write(store(), [put('r1', 1)]);
      await store().prepare(ROOMS, 'v1');
      expect(await store().get('rooms', 'r1')).not.toBeNull();
      expect(await store().checkpoint('rooms', 'v1')).toBe(at(1));
    });

    it('RM42 a build is filled beside the serving one, switched to at once, and the other is gone', async () => {
      await write(store(), [put('r1', 1, { name: 'old' })]);
      await store().prepare(ROOMS, 'v2');
      await write(store(), [put('r1', 1, { name: 'new' }), put('r2', 2)], 'rooms', 'v2');
      expect((await store().get<{ name: string }>('rooms', 'r1'))?.data.name).toBe('old');
      expect(await store().count('rooms')).toBe(1);
      expect(await store().servedPosition('rooms')).toBe(at(1));
      await store().serve('rooms', 'v2');
      expect(await store().serving('rooms')).toBe('v2');
      expect(await store().servedPosition('rooms')).toBe(at(2));
      expect((await store().get<{ name: string }>('rooms', 'r1'))?.data.name).toBe('new');
      expect(await store().count('rooms')).toBe(2);
      expect(await store().checkpoint('rooms', 'v1')).toBeNull();
      expect(await store().get('rooms', 'r1', 'v1')).toBeNull();
      const again = await reopen();
      expect(await again.serving('rooms')).toBe('v2');
      expect(await again.count('rooms')).toBe(2);
    });

    it('RM43 readers in the middle of the switch never find nothing, and a cursor goes on behind it', async () => {
      const writes = Array.from({ length: 30 }, (_, index) =>
        put(`r${String(index).padStart(2, '0')}`, index + 1, { price: index }),
      );
      await write(store(), writes);
      await store().prepare(ROOMS, 'v2');
      await write(store(), writes, 'rooms', 'v2');
      const query = { where: { ownerId: 'ada' }, sort: [['price', 'asc']], limit: 20 } as const;
      const first = await store().find('rooms', query);
      const counts = Array.from({ length: 20 }, () => store().count('rooms'));
      const switching = store().serve('rooms', 'v2');
      const after = Array.from({ length: 20 }, () => store().count('rooms'));
      await switching;
      expect(new Set(await Promise.all([...counts, ...after]))).toEqual(new Set([30]));
      const rest = await store().find('rooms', { ...query, cursor: first.cursor ?? '' });
      expect(rest.documents.map(({ id }) => id)).toEqual(writes.slice(20).map(({ id }) => id));
    });

    it('RM44 two builds at once do not disturb each other, and dropping one leaves the other', async () => {
      await store().prepare(ROOMS, 'v2');
      await store().prepare(ROOMS, 'v3');
      await store().commit([
        { model: 'rooms', build: 'v2', checkpoint: at(1), writes: [put('r1', 1, { name: 'two' })] },
        { model: 'rooms', build: 'v3', checkpoint: at(2), writes: [put('r1', 2, { name: 'three' })] },
      ]);
      await store().drop('rooms', 'v2');
      expect((await store().get<{ name: string }>('rooms', 'r1', 'v3'))?.data.name).toBe('three');
      expect(await store().checkpoint('rooms', 'v2')).toBeNull();
      expect(await store().serving('rooms')).toBe('v1');
    });

    it('RM45 serving what does not exist is refused and changes nothing', async () => {
      await expect(store().serve('rooms', 'v9')).rejects.toMatchObject({ code: 'UNKNOWN_BUILD' });
      expect(await store().serving('rooms')).toBe('v1');
    });

    it('RM46 reached: at once when it is so, when the commit comes, not before all models are there', async () => {
      await served(store(), HALLS);
      await write(store(), [put('r1', 5)]);
      expect(await store().reached(['rooms'], at(5), 0)).toBe(true);
      expect(await store().reached(['rooms'], at(6), 0)).toBe(false);
      let both: boolean | null = null;
      const wait = store()
        .reached(['rooms', 'halls'], at(6), TIMEOUT_MS)
        .then((value) => {
          both = value;
        });
      await write(store(), [put('r1', 6)]);
      await Promise.resolve();
      expect(both).toBeNull();
      await store().commit([{ model: 'halls', build: 'v1', checkpoint: at(7), writes: [] }]);
      await wait;
      expect(both).toBe(true);
    });

    it('RM47 reached: false after the time, a build that does not serve does not count, a switch does', async () => {
      expect(await store().reached(['rooms'], at(1), 1)).toBe(false);
      await store().prepare(ROOMS, 'v2');
      const wait = store().reached(['rooms'], at(9), TIMEOUT_MS);
      await write(store(), [put('r1', 9)], 'rooms', 'v2');
      expect(await store().reached(['rooms'], at(9), 0)).toBe(false);
      await store().serve('rooms', 'v2');
      expect(await wait).toBe(true);
    });

    it('RM48 reached: an unknown model is waited for, and closing ends every wait', async () => {
      const wait = store().reached(['cellars'], at(1), TIMEOUT_MS);
      await store().close();
      expect(await wait).toBe(false);
    });

    it('RM57 as of a position: what was read once it is reached, and nothing if it is not', async () => {
      await served(store());
      await write(store(), [put('r1', 5)]);
      const read = () => store().get('rooms', 'r1');
      expect(await store().readAsOf(['rooms'], at(5), 0, read)).toEqual({ answer: await read() });
      expect(
        await store().readAsOf(['rooms'], at(6), 0, () => Promise.reject(new Error('Nothing is to be read.'))),
      ).toBeNull();
      const later = store().readAsOf(['rooms'], at(6), TIMEOUT_MS, read);
      await write(store(), [put('r1', 6)]);
      expect((await later)?.answer?.position).toBe(at(6));
    });

    it('RM58 as of a position: nothing if the build was replaced or removed while it was read, even by one of the same name', async () => {
      await served(store());
      await write(store(), [put('r1', 5)]);
      const meanwhile = (change: () => Promise<unknown>) =>
        store().readAsOf(['rooms'], at(5), 0, async () => {
          await change();
          return store().get('rooms', 'r1');
        });
      const isReplaced = await meanwhile(async () => {
        await store().drop('rooms', 'v1');
        await served(store());
        await write(store(), [put('r2', 9)]);
      });
      expect(isReplaced).toBeNull();
      expect(await meanwhile(() => store().drop('rooms', 'v1'))).toBeNull();
    });
  });
}
