/** Documents and checkpoints: the position guard, tombstones, all or nothing, what survives. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DocumentRefused, type ReadModels, type Write } from '../../src/readModels/readModels.ts';
import { at, codeOf, HALLS, put, ROOMS, remove, room, served, write } from './readModelsHarness.ts';

export function describeCommits(store: () => ReadModels, reopen: () => Promise<ReadModels>): void {
  describe('commits', () => {
    beforeEach(() => served(store()));

    it('RM01 a committed document is read back with its position', async () => {
      await write(store(), [put('r1', 3, { price: 12 })]);
      expect(await store().get('rooms', 'r1')).toEqual({ id: 'r1', position: at(3), data: room({ price: 12 }) });
      expect(await store().get('rooms', 'r2')).toBeNull();
    });

    it('RM02 ES42 a document goes only forward: what does not follow is reported as skipped, not written', async () => {
      await write(store(), [put('r1', 5, { price: 5 })]);
      expect(await write(store(), [put('r1', 5, { price: 1 }), put('r1', 4, { price: 2 }), put('r2', 1)])).toBe(2);
      expect((await store().get('rooms', 'r1'))?.data).toEqual(room({ price: 5 }));
      expect(await write(store(), [put('r1', 6, { price: 6 })])).toBe(0);
      expect((await store().get('rooms', 'r1'))?.data).toEqual(room({ price: 6 }));
    });

    it('RM03 a deleted document is gone everywhere, and an older event cannot bring it back', async () => {
      await write(store(), [put('r1', 1), put('r2', 2), remove('r1', 5)]);
      expect(await write(store(), [put('r1', 4)])).toBe(1);
      expect(await store().get('rooms', 'r1')).toBeNull();
      expect(await store().getMany('rooms', ['r1', 'r2'])).toHaveLength(1);
      expect((await store().find('rooms', {})).documents.map(({ id }) => id)).toEqual(['r2']);
      expect(await store().count('rooms')).toBe(1);
      await write(store(), [put('r1', 6, { name: 'Again' })]);
      expect((await store().get<{ name: string }>('rooms', 'r1'))?.data.name).toBe('Again');
    });

    it('RM04 a deletion of what was never there stands against older events too', async () => {
      await write(store(), [remove('r9', 7)]);
      expect(await write(store(), [put('r9', 6)])).toBe(1);
      expect(await store().get('rooms', 'r9')).toBeNull();
    });

    it('RM05 getMany keeps the order asked for and leaves out what is missing; states shows tombstones', async () => {
      await write(store(), [put('a', 1), put('b', 2), put('c', 3), remove('b', 4)]);
      expect((await store().getMany('rooms', ['c', 'x', 'b', 'a'])).map(({ id }) => id)).toEqual(['c', 'a']);
      expect(await store().states('rooms', ['c', 'x', 'b'], 'v1')).toEqual([
        { id: 'c', position: at(3), data: room() },
        { id: 'b', position: at(4), data: null },
      ]);
      expect(await store().getMany('rooms', [])).toEqual([]);
    });

    it('RM06 ES41 a build without a commit has no checkpoint; the checkpoint comes with the documents', async () => {
      await store().prepare(HALLS, 'v1');
      expect(await store().checkpoint('halls', 'v1')).toBeNull();
      expect(await store().checkpoint('rooms', 'v9')).toBeNull();
      await store().commit([{ model: 'halls', build: 'v1', checkpoint: at(8), writes: [] }]);
      expect(await store().checkpoint('halls', 'v1')).toBe(at(8));
    });

    it('RM07 ES43 an older checkpoint is ignored', async () => {
      await store().commit([{ model: 'rooms', build: 'v1', checkpoint: at(9), writes: [] }]);
      await store().commit([{ model: 'rooms', build: 'v1', checkpoint: at(4), writes: [put('r1', 4)] }]);
      expect(await store().checkpoint('rooms', 'v1')).toBe(at(9));
      expect(await store().get('rooms', 'r1')).not.toBeNull();
      expect(await (await reopen()).checkpoint('rooms', 'v1')).toBe(at(9));
    });

    it('RM08 ES44 dropping a build resets it for a replay: no document, tombstone, parked record or checkpoint is left', async () => {
      const parked = {
        model: 'rooms',
        build: 'v1',
        documentId: 'r3',
        position: at(5),
        eventType: 'RoomPainted',
        error: 'No paint',
        parkedAt: '2026-01-01T00:00:00.000Z',
      };
      await store().commit([
        { model: 'rooms', build: 'v1', checkpoint: at(9), writes: [put('r1', 9), remove('r2', 9)], park: [parked] },
      ]);
      await store().drop('rooms', 'v1');
      await store().drop('rooms', 'v1');
      expect(await store().serving('rooms')).toBeNull();
      await served(store());
      expect(await store().checkpoint('rooms', 'v1')).toBeNull();
      expect(await store().parked()).toEqual([]);
      expect(await write(store(), [put('r1', 1), put('r2', 1)])).toBe(0);
      expect(await store().count('rooms')).toBe(2);
    });

    it('RM09 ES45 checkpoints and documents are apart by model and by build', async () => {
      await store().prepare(ROOMS, 'v2');
      await store().prepare(HALLS, 'v1');
      await store().commit([
        { model: 'rooms', build: 'v1', checkpoint: at(3), writes: [put('r1', 3, { name: 'one' })] },
        { model: 'rooms', build: 'v2', checkpoint: at(2), writes: [put('r1', 2, { name: 'two' })] },
        { model: 'halls', build: 'v1', checkpoint: at(1), writes: [put('r1', 1, { name: 'hall' })] },
      ]);
      const checkpoints = [
        store().checkpoint('rooms', 'v1'),
        store().checkpoint('rooms', 'v2'),
        store().checkpoint('halls', 'v1'),
      ];
      expect(await Promise.all(checkpoints)).toEqual([at(3), at(2), at(1)]);
      const rooms = [
        store().get('rooms', 'r1', 'v1'),
        store().get('rooms', 'r1', 'v2'),
        store().get('halls', 'r1', 'v1'),
      ];
      expect((await Promise.all(rooms)).map((document) => document?.data)).toEqual([
        room({ name: 'one' }),
        room({ name: 'two' }),
        room({ name: 'hall' }),
      ]);
    });

    it('RM10 one bad document refuses the whole call and leaves nothing behind', async () => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const bad: readonly unknown[] = [{ value: 10n }, circular, [1], 'text', undefined];
      for (const data of bad) {
        const refused = await store()
          .commit([
            { model: 'rooms', build: 'v1', checkpoint: at(2), writes: [put('good', 1)] },
            { model: 'rooms', build: 'v1', checkpoint: at(2), writes: [{ id: 'bad', position: at(2), data } as Write] },
          ])
          .catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(DocumentRefused);
        expect(refused).toMatchObject({ code: 'DOCUMENT_REFUSED', model: 'rooms', documentId: 'bad' });
      }
      for (const id of ['', 'x'.repeat(513), 'a\u0000b', '\ud800']) {
        expect(await codeOf(write(store(), [{ id, position: at(1), data: room() }]))).toBe('DOCUMENT_REFUSED');
      }
      expect(await codeOf(write(store(), [{ id: 'r1', position: '12', data: room() }]))).toMatch(
        /DOCUMENT_REFUSED|INVALID_POSITION/,
      );
      expect(await codeOf(store().commit([{ model: 'rooms', build: 'v1', checkpoint: 'soon', writes: [] }]))).toBe(
        'INVALID_POSITION',
      );
      expect(await codeOf(store().commit([{ model: 'rooms', build: 'v7', checkpoint: at(1), writes: [] }]))).toBe(
        'UNKNOWN_BUILD',
      );
      expect(await store().count('rooms')).toBe(0);
      expect(await store().checkpoint('rooms', 'v1')).toBeNull();
    });

    it('RM11 documents come back byte-equal: unicode, line separators, prototype keys, numbers, deep values', async () => {
      const data = JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":1,"toString":"x","emoji":"👩‍🚀 ß","lines":"a\\u2028b\\u2029c","nul":"\\u0000","lone":"\\ud800","big":9007199254740991,"tiny":5e-324,"deep":[[[{"a":[null,true]}]]],"":0}',
      ) as object;
      await write(store(), [{ id: '__proto__', position: at(1), data }]);
      await write(store(), [{ id: 'constructor', position: at(2), data: { kind: 'other' } }]);
      const read = await store().get<Record<string, unknown>>('rooms', '__proto__');
      expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data));
      expect(Object.hasOwn(read?.data ?? {}, '__proto__')).toBe(true);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect((await store().getMany('rooms', ['constructor', '__proto__', 'toString'])).map(({ id }) => id)).toEqual([
        'constructor',
        '__proto__',
      ]);
      expect(await store().get('__proto__', 'x')).toBeNull();
      const odd = "it's; DROP TABLE documents_1; -- ünï 'quoted' \"both\" %_*?";
      await write(store(), [put(odd, 3, { name: odd })]);
      expect((await store().get<{ name: string }>('rooms', odd))?.data.name).toBe(odd);
      expect((await store().find('rooms', { where: { name: odd } })).documents).toHaveLength(1);
    });

    it('RM12 what a reader or a writer does to a document afterwards changes nothing in the store', async () => {
      const data = { ...room(), tags: ['a'] };
      await write(store(), [{ id: 'r1', position: at(1), data }]);
      data.tags.push('later');
      const read = await store().get<{ tags: string[] }>('rooms', 'r1');
      // Results may be shared between readers: the change is refused, or is the reader's own.
      try {
        read?.data.tags.push('b');
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
      expect((await store().get<{ tags: string[] }>('rooms', 'r1'))?.data.tags).toEqual(['a']);
    });

    it('RM13 parked records are kept, replaced and taken away with the commit that says so', async () => {
      const parked = {
        model: 'rooms',
        build: 'v1',
        documentId: 'r1',
        position: at(5),
        eventType: 'RoomPainted',
        error: 'No paint',
        parkedAt: '2026-01-01T00:00:00.000Z',
      };
      const commit = { model: 'rooms', build: 'v1', checkpoint: at(6), writes: [] };
      await store().commit([{ ...commit, park: [parked, { ...parked, documentId: 'r2', position: at(4) }] }]);
      expect((await store().parked()).map(({ documentId }) => documentId)).toEqual(['r2', 'r1']);
      expect(await store().parked('rooms')).toContainEqual(parked);
      expect(await store().parked('halls')).toEqual([]);
      await store().commit([{ ...commit, unpark: ['r1', 'r2'], park: [{ ...parked, error: 'Still none' }] }]);
      expect(await store().parked()).toEqual([{ ...parked, error: 'Still none' }]);
    });

    it('RM14 everything is there after a restart: documents, tombstones, checkpoints, parked records, what serves', async () => {
      const parked = {
        model: 'rooms',
        build: 'v1',
        documentId: 'r3',
        position: at(5),
        eventType: 'RoomPainted',
        error: 'No paint',
        parkedAt: '2026-01-01T00:00:00.000Z',
      };
      await store().commit([
        { model: 'rooms', build: 'v1', checkpoint: at(9), writes: [put('r1', 8), remove('r2', 9)], park: [parked] },
      ]);
      const again = await reopen();
      expect(await again.serving('rooms')).toBe('v1');
      expect(await again.checkpoint('rooms', 'v1')).toBe(at(9));
      expect(await again.get('rooms', 'r1')).toEqual({ id: 'r1', position: at(8), data: room() });
      expect(await again.parked()).toEqual([parked]);
      expect(await write(again, [put('r2', 7)])).toBe(1);
      // Queries work before the projections have declared the model again.
      expect(
        (await again.find('rooms', { where: { ownerId: 'ada' }, sort: [['price', 'desc']] })).documents,
      ).toHaveLength(1);
    });

    it('RM16 the last event comes with the checkpoint: kept by a commit without one, never replaced by an earlier one, gone with its build', async () => {
      const commit = { model: 'rooms', build: 'v1', writes: [] };
      expect(await store().lastEvent('rooms', 'v1')).toBeNull();
      expect(await store().lastEvent('rooms', 'v9')).toBeNull();
      await store().commit([{ ...commit, checkpoint: at(5) }]);
      expect(await store().lastEvent('rooms', 'v1')).toBeNull();
      await store().commit([{ ...commit, checkpoint: at(9), lastEvent: `${at(8)} b` }]);
      await store().commit([{ ...commit, checkpoint: at(4), lastEvent: `${at(4)} z` }]);
      expect(await store().lastEvent('rooms', 'v1')).toBe(`${at(8)} b`);
      await store().commit([{ ...commit, checkpoint: at(12) }]);
      expect(await store().lastEvent('rooms', 'v1')).toBe(`${at(8)} b`);
      await store().commit([{ ...commit, checkpoint: at(13), lastEvent: `${at(13)} a` }]);
      await store().prepare({ ...ROOMS, indexes: [...ROOMS.indexes, ['open']] }, 'v1');
      const again = await reopen();
      expect(await again.lastEvent('rooms', 'v1')).toBe(`${at(13)} a`);
      await again.drop('rooms', 'v1');
      await again.prepare(ROOMS, 'v1');
      expect(await again.lastEvent('rooms', 'v1')).toBeNull();
    });

    it('RM15 after close every call is refused, and closing again is fine', async () => {
      await store().close();
      await store().close();
      expect(await codeOf(store().get('rooms', 'r1'))).toBe('READ_MODELS_CLOSED');
      expect(await codeOf(write(store(), [put('r1', 1)]))).toBe('READ_MODELS_CLOSED');
      expect(() => store().watch({ models: ['rooms'] })).toThrow(
        expect.objectContaining({ code: 'READ_MODELS_CLOSED' }),
      );
    });
  });
}
