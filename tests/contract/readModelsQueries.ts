/** Finding: equality, range, in, sort, pages, and what is refused. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Query, ReadModels } from '../../src/readModels/readModels.ts';
import { runs } from '../given/fullForm.ts';
import { allPages, codeOf, idsOf, put, ROOMS, type Room, remove, room, served, write } from './readModelsHarness.ts';

const SEED = 20_260_301;

export function describeQueries(store: () => ReadModels, effort: number): void {
  describe('queries', () => {
    beforeEach(() => served(store()));

    it('RM20 equality: text, truth value, null, nested field, several together', async () => {
      await write(store(), [
        put('a', 1, { price: 5 }),
        put('b', 2, { ownerId: 'bob', open: false, place: { city: 'Rome' } }),
        put('c', 3, { open: false, price: null }),
        put('d', 4, { open: false, price: 7 }),
      ]);
      expect(await idsOf(store(), { where: { ownerId: 'ada' } })).toEqual(['a', 'c', 'd']);
      expect(await idsOf(store(), { where: { ownerId: 'ada', open: false } })).toEqual(['c', 'd']);
      expect(await idsOf(store(), { where: { open: false, ownerId: 'ada', price: 7 } })).toEqual(['d']);
      expect(await idsOf(store(), { where: { price: null } })).toEqual(['c']);
      expect(await idsOf(store(), { where: { 'place.city': 'Rome' } })).toEqual(['b']);
      expect(await idsOf(store(), { where: { ownerId: 'nobody' } })).toEqual([]);
      expect(await idsOf(store(), { where: { ownerId: 'ADA' } })).toEqual([]);
    });

    it('RM21 range: open and closed ends, on texts, numbers and positions; null and other kinds are never in one', async () => {
      await write(store(), [
        put('a', 1, { price: 1 }),
        put('b', 2, { price: 2 }),
        put('c', 3, { price: 3 }),
        put('n', 4, { price: null }),
      ]);
      await write(store(), [{ id: 't', position: '0'.repeat(19) + 5, data: { ...room(), price: 'two' } }]);
      const priced = (range: NonNullable<Query['where']>[string]) =>
        idsOf(store(), { where: { ownerId: 'ada', price: range } });
      expect(await priced({ gt: 1, lte: 3 })).toEqual(['b', 'c']);
      expect(await priced({ gte: 1, lt: 3 })).toEqual(['a', 'b']);
      expect(await priced({ gte: 2 })).toEqual(['b', 'c']);
      expect(await priced({ lt: 'z' })).toEqual(['t']);
      expect(await priced({ gt: 3 })).toEqual([]);
      expect(await idsOf(store(), { where: { position: { gt: '0'.repeat(19) + 3 } } })).toEqual(['n', 't']);
      expect(
        await idsOf(store(), { where: { name: { gte: 'Blue', lte: 'Blue' } }, sort: [['name', 'asc']], limit: 2 }),
      ).toEqual(['a', 'b']);
    });

    it('RM22 in: any of the values, none of an empty list', async () => {
      await write(store(), [
        put('a', 1, { price: 1 }),
        put('b', 2, { price: 2 }),
        put('c', 3, { price: 3, open: false }),
      ]);
      expect(await idsOf(store(), { where: { price: { in: [3, 1, 9] } } })).toEqual(['a', 'c']);
      expect(await idsOf(store(), { where: { price: { in: [] } } })).toEqual([]);
      expect(await idsOf(store(), { where: { ownerId: 'ada', open: { in: [false] } } })).toEqual(['c']);
      expect(
        await idsOf(store(), { where: { ownerId: { in: ['ada', 'bob'] }, open: true }, sort: [['price', 'desc']] }),
      ).toEqual(['b', 'a']);
      expect(
        await idsOf(store(), { where: { ownerId: { in: ['ada', 'bob'] } }, sort: [['position', 'desc']], limit: 2 }),
      ).toEqual(['c', 'b']);
    });

    it('RM23 sort: both directions, null lowest, ties by id', async () => {
      await write(store(), [
        put('d', 1, { price: 2 }),
        put('b', 2, { price: null }),
        put('a', 3, { price: 2 }),
        put('c', 4, { price: 1 }),
      ]);
      expect(await idsOf(store(), { where: { ownerId: 'ada' }, sort: [['price', 'asc']] })).toEqual([
        'b',
        'c',
        'a',
        'd',
      ]);
      expect(await idsOf(store(), { where: { ownerId: 'ada' }, sort: [['price', 'desc']] })).toEqual([
        'd',
        'a',
        'c',
        'b',
      ]);
      expect(await idsOf(store(), { sort: [['position', 'desc']] })).toEqual(['c', 'a', 'b', 'd']);
      expect(await idsOf(store(), {})).toEqual(['a', 'b', 'c', 'd']);
      expect(
        await idsOf(store(), {
          where: { ownerId: 'ada' },
          sort: [
            ['ownerId', 'desc'],
            ['price', 'desc'],
          ],
          limit: 1,
        }),
      ).toEqual(['d']);
    });

    it('RM24 pages add up to the whole, in any size, through ties and nulls', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              price: fc.option(fc.integer({ min: 0, max: 3 })),
              ownerId: fc.constantFrom('ada', 'bob'),
              open: fc.boolean(),
            }),
            {
              maxLength: 25,
            },
          ),
          fc.integer({ min: 1, max: 7 }),
          fc.constantFrom('asc' as const, 'desc' as const),
          fc.constantFrom<Query['where']>({ ownerId: 'ada' }, { ownerId: 'ada', open: true }, undefined, {
            ownerId: { in: ['ada', 'bob'] },
          }),
          async (rooms, limit, direction, where) => {
            await store().drop('rooms', 'v1');
            await served(store());
            await write(
              store(),
              rooms.map((fields, index) => put(`r${(index * 7) % 25}`, index + 1, fields)),
            );
            const query: Query = { ...(where ? { where } : {}), sort: [['price', direction]] };
            const whole = await idsOf(store(), { ...query, limit: 1000 });
            expect(await allPages(store(), { ...query, limit })).toEqual(whole);
            expect(new Set(whole).size).toBe(whole.length);
            expect(whole).toEqual(await expected(rooms, where, direction));
            expect(await store().count('rooms', where)).toBe(whole.length);
          },
        ),
        { seed: SEED, numRuns: Math.ceil(runs(150) * effort) },
      );
    });

    it('RM25 paging while documents are written neither skips nor repeats those that stay where they are', async () => {
      const stable = Array.from({ length: 40 }, (_, index) =>
        put(`s${String(index).padStart(2, '0')}`, index + 1, { price: index * 2 }),
      );
      await write(store(), stable);
      let turn = 0;
      const pages = await allPages(
        store(),
        { where: { ownerId: 'ada' }, sort: [['price', 'asc']], limit: 7 },
        async () => {
          turn += 1;
          await write(store(), [
            put(`before${turn}`, 100 + turn, { price: -turn }),
            put(`between${turn}`, 100 + turn, { price: turn * 14 + 1 }),
            put(`moved`, 100 + turn, { price: 1000 - turn }),
            remove(`before${turn - 1}`, 100 + turn),
          ]);
        },
      );
      expect(pages.filter((id) => id.startsWith('s'))).toEqual(stable.map(({ id }) => id));
      expect(new Set(pages).size).toBe(pages.length);
    });

    it('RM26 a cursor is bound to its query and refused when it was changed', async () => {
      await write(store(), [put('a', 1, { price: 1 }), put('b', 2, { price: 2 }), put('c', 3, { price: 3 })]);
      const query: Query = { where: { ownerId: 'ada' }, sort: [['price', 'asc']], limit: 1 };
      const { cursor } = await store().find('rooms', query);
      if (cursor === null) throw new Error('There is a next page.');
      expect(await idsOf(store(), { ...query, cursor, limit: 5 })).toEqual(['b', 'c']);
      const others: readonly Query[] = [
        { ...query, where: { ownerId: 'bob' } },
        { ...query, sort: [['price', 'desc']] },
        { where: { ownerId: 'ada', open: true }, sort: [['price', 'asc']] },
        { limit: 1 },
      ];
      for (const other of others)
        expect(await codeOf(store().find('rooms', { ...other, cursor }))).toBe('INVALID_CURSOR');
      const [seal, , id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, number, string];
      const forge = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
      const forged = [
        '',
        'x',
        '!!!',
        forge([seal, 99, id]),
        forge([seal, 1, 'zzz']),
        forge([seal, { $gt: 0 }, id]),
        forge([]),
        forge(null),
        forge({ length: 2 }),
        'A'.repeat(10_000),
        cursor.slice(0, -4),
      ];
      for (const text of forged)
        expect(await codeOf(store().find('rooms', { ...query, cursor: text }))).toBe('INVALID_CURSOR');
      expect(await codeOf(store().find('rooms', { ...query, cursor: 7 as unknown as string }))).toBe('INVALID_CURSOR');
    });

    it('RM27 a query that no index covers is refused, not scanned', async () => {
      const refused: readonly Query[] = [
        { where: { open: true } },
        { where: { unknown: 'x' } },
        { where: { ownerId: 'ada', name: 'Blue' } },
        { where: { ownerId: 'ada' }, sort: [['name', 'asc']] },
        { where: { name: 'Blue' }, sort: [['price', 'asc']] },
        { where: { ownerId: 'ada', price: { gt: 1 } }, sort: [['position', 'asc']] },
        { where: { ownerId: { gt: 'a' }, price: { gt: 1 } } },
        { sort: [['open', 'asc']] },
      ];
      for (const query of refused)
        expect(`${JSON.stringify(query)} ${await codeOf(store().find('rooms', query))}`).toBe(
          `${JSON.stringify(query)} UNINDEXED_QUERY`,
        );
      expect(await codeOf(store().count('rooms', { open: true }))).toBe('UNINDEXED_QUERY');
    });

    it('RM28 a query that is none is refused: names, operators, values, limits', async () => {
      const bad: readonly unknown[] = [
        { where: { "ownerId' OR 1=1 --": 'x' } },
        { where: { 'a..b': 1 } },
        { where: { $where: 'x' } },
        { where: { price: { near: 3 } } },
        { where: { price: { gt: 1, lt: 'z' } } },
        { where: { price: { gt: null } } },
        { where: { price: { in: 'abc' } } },
        { where: { price: { in: [null] } } },
        { where: { price: { in: Array.from({ length: 1001 }, (_, n) => n) } } },
        { where: { price: {} } },
        { where: { price: [1] } },
        { where: { price: Number.NaN } },
        { where: { position: 3 } },
        { limit: 0 },
        { limit: 1001 },
        { limit: 1.5 },
        { sort: [['price', 'sideways']] },
        { sort: [['price; DROP TABLE builds', 'asc']] },
        {
          sort: [
            ['price', 'asc'],
            ['name', 'desc'],
          ],
        },
        { sort: 'price' },
      ];
      for (const query of bad)
        expect(`${JSON.stringify(query)} ${await codeOf(store().find('rooms', query as Query))}`).toBe(
          `${JSON.stringify(query)} INVALID_QUERY`,
        );
    });

    it('RM29 a page has 50 documents unless asked otherwise, 1,000 at most', async () => {
      await write(
        store(),
        Array.from({ length: 60 }, (_, index) => put(`r${index}`, index + 1)),
      );
      const page = await store().find<Room>('rooms', { where: { ownerId: 'ada' } });
      expect(page.documents).toHaveLength(50);
      expect(page.cursor).not.toBeNull();
      const rest = await store().find<Room>('rooms', {
        where: { ownerId: 'ada' },
        limit: 1000,
        ...(page.cursor ? { cursor: page.cursor } : {}),
      });
      expect(rest.documents).toHaveLength(10);
      expect(rest.cursor).toBeNull();
    });

    it('RM30 an index added later covers what is already there', async () => {
      await write(store(), [put('a', 1), put('b', 2, { open: false })]);
      await store().prepare({ ...ROOMS, indexes: [['open']] }, 'v1');
      expect(await idsOf(store(), { where: { open: false } })).toEqual(['b']);
      expect(await codeOf(store().find('rooms', { where: { ownerId: 'ada' } }))).toBe('UNINDEXED_QUERY');
    });

    it('RM31 a definition with a name or field that is none is refused', async () => {
      for (const name of ['', 'a b', 'x"; DROP TABLE builds', '1st', 'a'.repeat(65)])
        expect(await codeOf(store().prepare({ ...ROOMS, name }, 'v1'))).toBe('INVALID_DEFINITION');
      for (const indexes of [[['a b']], [[]], [['a', 'a']], [["x') --"]]])
        expect(await codeOf(store().prepare({ ...ROOMS, indexes }, 'v1'))).toBe('INVALID_DEFINITION');
      expect(await codeOf(store().prepare(ROOMS, 'v 1'))).toBe('INVALID_DEFINITION');
    });
  });
}

/** The same query answered by plain code. */
async function expected(
  rooms: readonly Partial<Room>[],
  where: Query['where'],
  direction: 'asc' | 'desc',
): Promise<readonly string[]> {
  const last = new Map(rooms.map((fields, index) => [`r${(index * 7) % 25}`, room(fields)] as const));
  const owners = where?.ownerId === 'ada' ? ['ada'] : ['ada', 'bob'];
  const rows = [...last].filter(
    ([, { ownerId, open }]) => owners.includes(ownerId) && (where?.open === undefined || open === where.open),
  );
  const order = rows
    .sort(([a, { price: p }], [b, { price: q }]) => (p ?? -1) - (q ?? -1) || (a < b ? -1 : 1))
    .map(([id]) => id);
  return direction === 'asc' ? order : order.reverse();
}
