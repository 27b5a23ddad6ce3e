/** The same query again: whatever the store caches, the next answer is right. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Query, ReadModels } from '../../src/readModels/readModels.ts';
import { at, codeOf, put, ROOMS, remove, served, write } from './readModelsHarness.ts';

const OF_ADA: Query = { where: { ownerId: 'ada' }, sort: [['price', 'asc']], limit: 10 };

export function describeRereading(store: () => ReadModels): void {
  describe('repeated queries', () => {
    const names = async (query = OF_ADA) =>
      (await store().find<{ name: string }>('rooms', query)).documents.map(({ data }) => data.name);
    const name = async (id: string) => (await store().get<{ name: string }>('rooms', id))?.data.name ?? null;
    beforeEach(() => served(store()));

    it('RM50 each commit is seen by the next read: new, changed, moved and deleted documents', async () => {
      expect(await names()).toEqual([]);
      expect(await name('r1')).toBeNull();
      await write(store(), [put('r1', 1, { name: 'one' })]);
      expect([await names(), await name('r1')]).toEqual([['one'], 'one']);
      await write(store(), [put('r1', 2, { name: 'uno' }), put('r2', 2, { name: 'two', price: 5 })]);
      expect([await names(), await name('r1')]).toEqual([['two', 'uno'], 'uno']);
      await write(store(), [put('r2', 3, { name: 'two', ownerId: 'bob' })]);
      expect(await names()).toEqual(['uno']);
      await write(store(), [remove('r1', 4)]);
      expect([await names(), await name('r1')]).toEqual([[], null]);
    });

    it('RM51 a commit that is refused leaves the answers as they were', async () => {
      await write(store(), [put('r1', 1, { name: 'one' })]);
      expect([await names(), await name('r1')]).toEqual([['one'], 'one']);
      const refused = [put('r1', 2, { name: 'uno' }), { id: '', position: at(2), data: {} }];
      expect(await codeOf(write(store(), refused))).toBe('DOCUMENT_REFUSED');
      expect([await names(), await name('r1')]).toEqual([['one'], 'one']);
    });

    it('RM52 reads across a rebuild: the serving build answers until the switch, the new one from it on, also after later commits', async () => {
      await write(store(), [put('r1', 1, { name: 'old' })]);
      expect([await names(), await name('r1')]).toEqual([['old'], 'old']);
      await store().prepare(ROOMS, 'v2');
      await write(store(), [put('r1', 1, { name: 'new' })], 'rooms', 'v2');
      expect((await store().get<{ name: string }>('rooms', 'r1', 'v2'))?.data.name).toBe('new');
      expect([await names(), await name('r1')]).toEqual([['old'], 'old']);
      await store().serve('rooms', 'v2');
      expect([await names(), await name('r1')]).toEqual([['new'], 'new']);
      await write(store(), [put('r1', 2, { name: 'newer' })], 'rooms', 'v2');
      expect([await names(), await name('r1')]).toEqual([['newer'], 'newer']);
    });

    it('RM53 a dropped build answers nothing, nor does its successor of the same name before it is filled', async () => {
      await write(store(), [put('r1', 1, { name: 'one' })]);
      expect([await names(), await name('r1')]).toEqual([['one'], 'one']);
      await store().drop('rooms', 'v1');
      expect([await names(), await name('r1')]).toEqual([[], null]);
      await served(store());
      expect([await names(), await name('r1')]).toEqual([[], null]);
    });

    it('RM54 a query that differs in anything has its own answer, and one that is refused stays refused', async () => {
      await write(store(), [put('r1', 1, { name: 'one', price: 1 }), put('r2', 2, { name: 'two', price: 2 })]);
      expect(await names()).toEqual(['one', 'two']);
      expect(await names({ ...OF_ADA, sort: [['price', 'desc']] })).toEqual(['two', 'one']);
      expect(await names({ ...OF_ADA, limit: 1 })).toEqual(['one']);
      expect(await names({ where: { ownerId: 'bob' }, sort: [['price', 'asc']] })).toEqual([]);
      const { cursor } = await store().find('rooms', { ...OF_ADA, limit: 1 });
      expect(await names({ ...OF_ADA, limit: 1, cursor: cursor ?? '' })).toEqual(['two']);
      // As JSON these two would look like queries that were answered before.
      expect(await names({ where: { price: null } })).toEqual([]);
      expect(await codeOf(store().find('rooms', { where: { price: Number.NaN } }))).toBe('INVALID_QUERY');
      expect(await names({})).toEqual(['one', 'two']);
      expect(await codeOf(store().find('rooms', { where: { ownerId: undefined } } as never))).toBe('INVALID_QUERY');
      // A query without an index of another definition is refused, answered before or not.
      await store().prepare({ ...ROOMS, indexes: [['price']] }, 'v1');
      expect(await codeOf(store().find('rooms', OF_ADA))).toBe('UNINDEXED_QUERY');
    });
  });
}
