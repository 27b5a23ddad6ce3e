/** The checkpoint shared by builds that are fed together. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BuildName, ReadModels, Write } from '../../src/readModels/readModels.ts';
import { at, codeOf, HALLS, put, ROOMS, served } from './readModelsHarness.ts';

const rooms: BuildName = { model: 'rooms', build: 'v1' };
const halls: BuildName = { model: 'halls', build: 'v1' };

export function describeShared(store: () => ReadModels, reopen: () => Promise<ReadModels>): void {
  const commit = (position: number, builds: readonly BuildName[], writes: readonly Write[] = []) =>
    store().commit(writes.length > 0 ? [{ ...rooms, writes }] : [], {
      position: at(position),
      lastEvent: `${at(position)} name`,
      builds,
    });
  const own = (build: BuildName, position: number) =>
    store().commit([{ ...build, checkpoint: at(position), lastEvent: `${at(position)} own`, writes: [] }]);
  const checkpoints = async (models = store()) => [
    await models.checkpoint('rooms', 'v1'),
    await models.checkpoint('halls', 'v1'),
  ];

  describe('the shared checkpoint', () => {
    beforeEach(async () => {
      await served(store());
      await served(store(), HALLS);
    });

    it('RM80 advances every build that it speaks for, with documents of some or of none, and survives', async () => {
      await store().shareCheckpoint([rooms, halls]);
      await commit(3, [halls, rooms], [put('r1', 3)]);
      expect(await checkpoints()).toEqual([at(3), at(3)]);
      const waiting = store().reached(['halls', 'rooms'], at(5), 60_000);
      await commit(5, [rooms, halls]);
      expect(await waiting).toBe(true);
      expect(await store().servedPosition('halls')).toBe(at(5));
      expect(await store().lastEvent('halls', 'v1')).toBe(`${at(5)} name`);
      // It never goes back.
      await commit(4, [rooms, halls]);
      const again = await reopen();
      expect(await checkpoints(again)).toEqual([at(5), at(5)]);
      expect(await again.lastEvent('rooms', 'v1')).toBe(`${at(5)} name`);
      expect(await again.get('rooms', 'r1')).not.toBeNull();
    });

    it('RM81 a build that is further keeps its own until the shared one has passed it', async () => {
      await own(rooms, 2);
      await own(halls, 8);
      await store().shareCheckpoint([rooms, halls]);
      expect(await checkpoints()).toEqual([at(2), at(8)]);
      await commit(5, [rooms, halls]);
      expect(await checkpoints()).toEqual([at(5), at(8)]);
      expect(await store().lastEvent('halls', 'v1')).toBe(`${at(8)} own`);
      await commit(9, [rooms, halls]);
      expect(await checkpoints(await reopen())).toEqual([at(9), at(9)]);
    });

    it('RM82 a build that leaves keeps its checkpoint, and one that joins from behind moves no other back', async () => {
      await store().shareCheckpoint([rooms, halls]);
      await commit(7, [rooms, halls]);
      await store().shareCheckpoint([rooms]);
      await commit(9, [rooms]);
      expect(await checkpoints()).toEqual([at(9), at(7)]);
      await store().shareCheckpoint([halls, rooms]);
      expect(await checkpoints(await reopen())).toEqual([at(9), at(7)]);
    });

    it('RM83 a commit that speaks for other builds is refused, and nothing of it is written', async () => {
      const refused = (builds: readonly BuildName[]) => codeOf(commit(3, builds, [put('r1', 3)]));
      expect(await refused([rooms])).toBe('UNKNOWN_BUILD');
      await store().shareCheckpoint([rooms, halls]);
      expect(await refused([rooms])).toBe('UNKNOWN_BUILD');
      expect(await refused([rooms, { model: 'halls', build: 'v2' }])).toBe('UNKNOWN_BUILD');
      await store().prepare({ ...HALLS, version: 2 }, 'v2');
      await store().serve('halls', 'v2');
      expect(await refused([rooms, halls])).toBe('UNKNOWN_BUILD');
      expect(await refused([rooms, { model: 'halls', build: 'v2' }])).toBe('UNKNOWN_BUILD');
      expect(await store().count('rooms')).toBe(0);
      expect(await store().checkpoint('rooms', 'v1')).toBeOneOf([null, at(0)]);
      await store().shareCheckpoint([rooms, { model: 'halls', build: 'v2' }]);
      expect(await refused([rooms, { model: 'halls', build: 'v2' }])).toBe('no error');
      expect(await codeOf(store().shareCheckpoint([{ model: 'halls', build: 'v1' }]))).toBe('UNKNOWN_BUILD');
    });

    it('RM84 a build that was dropped and prepared again starts from the beginning', async () => {
      await store().shareCheckpoint([rooms, halls]);
      await commit(7, [rooms, halls]);
      await store().drop('halls', 'v1');
      await store().prepare(HALLS, 'v1');
      expect(await checkpoints()).toEqual([at(7), null]);
      expect(await checkpoints(await reopen())).toEqual([at(7), null]);
    });

    it('RM85 a commit without a checkpoint moves none', async () => {
      await store().shareCheckpoint([rooms, halls]);
      await commit(7, [rooms, halls]);
      await store().commit([{ ...rooms, writes: [put('r1', 9)] }]);
      expect(await checkpoints()).toEqual([at(7), at(7)]);
      expect(await store().get('rooms', 'r1')).not.toBeNull();
    });

    it('RM86 the builds of models that nobody keeps are removed', async () => {
      await own(halls, 3);
      await store().prepare({ ...HALLS, version: 2 }, 'v2');
      await store().retain([ROOMS.name]);
      expect([await store().serving('rooms'), await store().serving('halls')]).toEqual(['v1', null]);
      expect(await codeOf(store().commit([{ model: 'halls', build: 'v2', writes: [] }]))).toBe('UNKNOWN_BUILD');
      expect(await checkpoints(await reopen())).toEqual([null, null]);
    });
  });
}
