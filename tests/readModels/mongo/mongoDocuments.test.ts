/**
 * Documents and queries in MongoDB: no query without its index, nothing that the server takes for an operator, no
 * document too large.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentIndexes, indexName } from '../../../src/readModels/mongo/mongoIndexes.ts';
import type { ModelDefinition, Query, ReadModels } from '../../../src/readModels/readModels.ts';
import {
  allPages,
  at,
  codeOf,
  follow,
  idsOf,
  put,
  ROOMS,
  remove,
  room,
  served,
  write,
} from '../../contract/readModelsHarness.ts';
import { observed } from './mongoFaults.ts';
import { describeOnMongo, type MongoCase } from './mongoServers.ts';

type Seen = { readonly collection: string; readonly method: string; readonly args: readonly unknown[] };

describeOnMongo('documents in MongoDB', (newCase) => {
  let mongo: MongoCase;
  let readModels: ReadModels;
  let seen: Seen[];
  beforeEach(async () => {
    mongo = newCase();
    seen = [];
    readModels = await mongo.open(
      {},
      observed(await mongo.connect(), (collection, method, args) => void seen.push({ collection, method, args })),
    );
    await served(readModels);
  });
  afterEach(() => mongo.dispose());

  const ofDocuments = () => seen.filter(({ collection }) => collection.startsWith('docs_'));

  it('every query names its index, or uses ids', async () => {
    for (let position = 1; position <= 30; position++) {
      await write(readModels, [
        put(`r${position}`, position, { price: position % 5 === 0 ? null : position % 3, open: position % 2 === 0 }),
      ]);
    }
    await write(readModels, [remove('r3', 31)]);
    const { db } = await mongo.connect();
    const collection =
      (await db.listCollections({}, { nameOnly: true }).toArray())
        .map(({ name }) => name)
        .find((name) => name.startsWith('docs_rooms')) ?? '';
    const present = new Set((await db.collection(collection).indexes()).map(({ name }) => name));
    seen = [];
    const queries: readonly Query[] = [
      {},
      { where: { ownerId: 'ada' }, sort: [['price', 'asc']] },
      { where: { ownerId: 'ada', open: true }, sort: [['price', 'desc']] },
      { where: { ownerId: 'ada', price: { gt: 0, lte: 9 } }, sort: [['price', 'asc']] },
      { where: { 'place.city': { in: ['Oslo', 'Rome'] } } },
      { sort: [['position', 'desc']] },
    ];
    for (const query of queries) {
      await allPages(readModels, { ...query, limit: 4 });
      await readModels.count('rooms', query.where);
    }
    const stop = new AbortController();
    const changes = follow(readModels, {
      after: at(5),
      where: { ownerId: 'ada' },
      signal: stop.signal,
      onCaughtUp: () => stop.abort(),
    });
    while (!(await changes.next()).done);
    await readModels.getMany('rooms', ['r1', 'r2']);
    await readModels.get('rooms', 'r1');
    const asked = ofDocuments();
    expect(asked.length).toBeGreaterThan(40);
    for (const { method, args } of asked) {
      const [filter, options] = args as [{ _id?: unknown }, { hint?: string }];
      expect(`${method} ${JSON.stringify(filter)} ${options?.hint}`).toSatisfy(
        () => filter._id !== undefined || present.has(options?.hint),
      );
    }
    expect([...present].sort()).toEqual(
      [
        '_id_',
        ...documentIndexes({ indexes: ROOMS.indexes, tombstoneFields: ['ownerId'] }).map(({ name }) => name),
      ].sort(),
    );
    expect(present).toContain(indexName(['place.city']));
  });

  it('a refused query is not sent', async () => {
    await readModels.count('rooms');
    seen = [];
    const refused: readonly unknown[] = [
      { where: { open: true } },
      { where: { $where: 'sleep(1000)' } },
      { where: { ownerId: { $ne: 'x' } } },
      { where: { ownerId: { in: [{ $gt: '' }] } } },
      { where: { 'keys.ownerId': 'ada' }, sort: [['_id', 'asc']] },
    ];
    for (const query of refused)
      expect(await codeOf(readModels.find('rooms', query as Query))).toMatch(/UNINDEXED_QUERY|INVALID_QUERY/);
    expect(await readModels.get('rooms', { $ne: '' } as never)).toBeNull();
    expect(await readModels.getMany('rooms', [{ $gt: '' }, /./] as never)).toEqual([]);
    expect(await readModels.get({ $ne: '' } as never, 'r1')).toBeNull();
    expect(ofDocuments()).toEqual([]);
  });

  it('values keep their type and order: numbers beyond 2^53, negative zero, booleans, lists, texts by code point', async () => {
    const values: readonly unknown[] = [
      -1e300,
      -1,
      -0,
      5e-324,
      true,
      2,
      2 ** 53 + 2,
      1e300,
      '',
      '\u0000',
      'A',
      'Z',
      'a',
      'é',
      '\ufffd',
      '👩',
      null,
    ];
    const shuffled = [...values].reverse();
    await readModels.commit([
      {
        model: 'rooms',
        build: 'v1',
        checkpoint: at(50),
        writes: shuffled.map((price, index) => ({ id: `r${index}`, position: at(index + 1), data: { price } })),
      },
    ]);
    const query: Query = { sort: [['price', 'asc']], limit: 3 };
    const order = await allPages(readModels, query);
    const expected = [null, ...values.slice(0, -1)].map((value) => `r${shuffled.indexOf(value)}`);
    expect(order).toEqual(expected);
    expect(await allPages(readModels, { ...query, sort: [['price', 'desc']] })).toEqual([...expected].reverse());
    expect(await idsOf(readModels, { where: { price: 0 } })).toEqual([`r${shuffled.indexOf(-0)}`]);
    expect(await idsOf(readModels, { where: { price: true } })).toEqual([`r${shuffled.indexOf(true)}`]);
    expect(await idsOf(readModels, { where: { price: { gte: '👩' } } })).toEqual([`r${shuffled.indexOf('👩')}`]);
    expect((await readModels.find('rooms', { where: { price: { lt: 1e301 } } })).documents).toHaveLength(8);
    expect(JSON.stringify((await readModels.get('rooms', `r${shuffled.indexOf(-0)}`))?.data)).toBe('{"price":0}');
  });

  it('data equals its JSON, also for the indexes', async () => {
    const when = new Date('2026-03-04T05:06:07.000Z');
    const data = {
      ownerId: { toJSON: () => 'ada' },
      price: Number.NaN,
      open: undefined,
      name: when,
      place: new Map([['city', 'Oslo']]),
    };
    await write(readModels, [
      { id: 'odd', position: at(1), data },
      put('deep', 2, { name: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as never }),
    ]);
    expect(await idsOf(readModels, { where: { ownerId: 'ada', price: null } })).toEqual(['odd']);
    expect(await idsOf(readModels, { where: { name: when.toISOString() } })).toEqual(['odd']);
    expect(await idsOf(readModels, { where: { 'place.city': null } })).toEqual(['odd']);
    expect((await readModels.get('rooms', 'odd'))?.data).toEqual({
      ownerId: 'ada',
      price: null,
      name: when.toISOString(),
      place: {},
    });
    expect(JSON.stringify((await readModels.get('rooms', 'deep'))?.data)).toContain('['.repeat(500));
  });

  it('keys that look like operators or paths are plain text', async () => {
    const data = {
      ...room(),
      $set: { a: 1 },
      'a.b': 2,
      '': 3,
      $where: 'x',
      _id: 'other',
      nested: { $gt: '', 'c.d': [{ $ne: null }] },
    };
    await write(readModels, [{ id: '$ne', position: at(1), data }]);
    expect((await readModels.get('rooms', '$ne'))?.data).toEqual(data);
  });

  it('one document too large refuses the call before anything is written', async () => {
    const large = { ...room(), note: 'ü'.repeat(8_400_000) };
    const commit = {
      model: 'rooms',
      build: 'v1',
      checkpoint: at(2),
      writes: [put('good', 1), { id: 'large', position: at(2), data: large }],
    };
    seen = [];
    await expect(readModels.commit([commit])).rejects.toMatchObject({
      code: 'DOCUMENT_REFUSED',
      model: 'rooms',
      documentId: 'large',
    });
    expect(ofDocuments()).toEqual([]);
    expect(await readModels.count('rooms')).toBe(0);
  });

  it('results cannot be changed by their readers', async () => {
    await write(readModels, [put('r1', 1)]);
    const read = await readModels.get<{ place: { city: string } }>('rooms', 'r1');
    const page = await readModels.find<{ place: { city: string } }>('rooms', {});
    for (const data of [read?.data, page.documents[0]?.data]) {
      expect(() => {
        if (data) data.place.city = 'Rome';
      }).toThrow(TypeError);
    }
  });

  it('a field added to a definition is found in existing documents, tombstones too', async () => {
    const writes = Array.from({ length: 1_050 }, (_, index) => ({
      id: `r${index}`,
      position: at(index + 1),
      data: { ...room(), floor: index % 7, zip: `z${index}` },
    }));
    await write(readModels, writes);
    await write(readModels, [remove('r5', 2_000)]);
    const wider: ModelDefinition = { ...ROOMS, indexes: [...ROOMS.indexes, ['floor', 'zip']] };
    await readModels.prepare(wider, 'v1');
    expect(await readModels.count('rooms', { floor: 5 })).toBe(149);
    expect(
      (await readModels.find('rooms', { where: { floor: 6 }, sort: [['zip', 'asc']], limit: 2 })).documents.map(
        ({ id }) => id,
      ),
    ).toEqual(['r1000', 'r1007']);
    const stop = new AbortController();
    const changes = follow(readModels, {
      after: at(1_100),
      where: { ownerId: 'ada' },
      signal: stop.signal,
      onCaughtUp: () => stop.abort(),
    });
    expect((await changes.next()).value).toMatchObject({ id: 'r5', kind: 'DELETE' });
  });

  describe('the cached base of a fold', () => {
    it('is not read a second time by its commit', async () => {
      await write(readModels, [put('r1', 1)]);
      await readModels.states('rooms', ['r1', 'r2'], 'v1');
      seen = [];
      await write(readModels, [put('r1', 2), put('r2', 3)]);
      expect(ofDocuments().map(({ method }) => method)).toEqual(['bulkWrite']);
      await write(readModels, [put('r1', 4)]);
      expect(ofDocuments().map(({ method }) => method)).toEqual(['bulkWrite', 'find', 'bulkWrite']);
    });

    it('may be stale: newer documents are still written forward, or skipped', async () => {
      const other = await mongo.open();
      await write(readModels, [put('r1', 1)]);
      await readModels.states('rooms', ['r1', 'r2', 'r3'], 'v1');
      await write(other, [put('r1', 5, { name: 'newer' }), put('r2', 2), put('r3', 9, { name: 'newer' })]);
      expect(await write(readModels, [put('r1', 4), put('r2', 6, { name: 'mine' }), put('r3', 7)])).toBe(2);
      const names = (await other.getMany<{ name: string }>('rooms', ['r1', 'r2', 'r3'])).map(({ data }) => data.name);
      expect(names).toEqual(['newer', 'mine', 'newer']);
    });

    it('filling a build takes two round trips per commit', async () => {
      await readModels.prepare(ROOMS, 'v2');
      seen = [];
      const writes = Array.from({ length: 500 }, (_, index) => put(`r${index}`, index + 1));
      expect(await write(readModels, writes, 'rooms', 'v2')).toBe(0);
      expect(seen.map(({ method, collection }) => `${collection.split('_')[0]}.${method}`)).toEqual([
        'docs.bulkWrite',
        'builds.bulkWrite',
      ]);
      expect(await write(readModels, writes, 'rooms', 'v2')).toBe(500);
    });
  });
});
