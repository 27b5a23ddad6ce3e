/** The server features that read models and leases rely on, tested with only the driver. */
import { existsSync } from 'node:fs';
import { type Collection, type Db, MongoBulkWriteError, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { available, MONGOD } from '../given/requirements.ts';
import { type MongoServer, startMongoServer } from './mongoServer.ts';

type Doc = { _id: string; position: string; n?: number; user?: string };

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('MongoDB', () => {
  let server: MongoServer;
  let client: MongoClient;
  let db: Db;
  let docs: Collection<Doc>;

  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  beforeEach(() => {
    db = client.db(new URL(server.freshDatabaseUrl()).pathname.slice(1));
    docs = db.collection<Doc>('docs');
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  const guarded = (id: string, position: string, n: number) => ({
    updateOne: { filter: { _id: id, position: { $lt: position } }, update: { $set: { position, n } }, upsert: true },
  });

  async function refusedBulk(operations: ReturnType<typeof guarded>[]): Promise<number[]> {
    const outcome = await docs.bulkWrite(operations, { ordered: false }).catch((error: unknown) => error);
    if (!(outcome instanceof MongoBulkWriteError)) throw new Error(`refused as a bulk, not ${String(outcome)}`);
    return [outcome.writeErrors].flat().map((error) => error.code);
  }

  it('answers a guarded upsert of an older position with a duplicate key error', async () => {
    await docs.bulkWrite([guarded('a', '05', 5), guarded('b', '05', 5)], { ordered: false });
    expect(await refusedBulk([guarded('b', '06', 6), guarded('a', '04', 4)])).toEqual([11000]);
    expect(await docs.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'a', position: '05', n: 5 },
      { _id: 'b', position: '06', n: 6 },
    ]);
  });

  it('accepts a bulk write of hundreds of guarded replacements', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `d${n}`);
    await docs.insertMany(ids.map((id) => ({ _id: id, position: '01' })));
    const operations = ids.map((id) => ({
      replaceOne: { filter: { _id: id, position: { $lt: '02' } }, replacement: { position: '02' } },
    }));
    expect(await docs.bulkWrite(operations, { ordered: false })).toMatchObject({ matchedCount: 500 });
    expect(await docs.countDocuments({ position: '02' })).toBe(500);
  });

  it('inserts a key only once, even if many try at the same time', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => docs.insertOne({ _id: 'a', position: String(n) })),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(19);
    for (const reason of refused) expect(reason).toMatchObject({ code: 11000 });
  });

  it('creates compound indexes, lists them, accepts them as hints and sorts by them', async () => {
    await docs.createIndex({ user: 1, n: 1, _id: 1 }, { name: 'user_n' });
    await docs.createIndex({ user: 1, n: 1, _id: 1 }, { name: 'user_n' });
    await docs.insertMany([3, 1, 2].map((n) => ({ _id: `d${n}`, position: '01', user: n === 3 ? 'x' : 'u', n })));
    expect((await docs.indexes()).map((index) => index.name)).toContain('user_n');
    const found = await docs
      .find({ user: 'u', n: { $gte: 1 } }, { sort: { n: -1, _id: -1 }, hint: 'user_n', limit: 10 })
      .toArray();
    expect(found.map((doc) => doc._id)).toEqual(['d2', 'd1']);
    expect(await docs.countDocuments({ user: { $in: ['u', 'x'] } })).toBe(3);
  });

  it('supports compare-and-set with findOneAndUpdate and findOneAndReplace', async () => {
    await docs.insertOne({ _id: 'lease', position: '01', n: 1 });
    expect(
      await docs.findOneAndUpdate({ _id: 'lease', n: 1 }, { $set: { n: 2 } }, { returnDocument: 'after' }),
    ).toMatchObject({ n: 2 });
    expect(await docs.findOneAndUpdate({ _id: 'lease', n: 1 }, { $set: { n: 9 } })).toBeNull();
    expect(
      await docs.findOneAndReplace({ _id: 'lease', n: 2 }, { position: '02', n: 3 }, { returnDocument: 'after' }),
    ).toMatchObject({ n: 3 });
  });

  it('compares texts by their bytes, whatever is escaped in them', async () => {
    const texts = [
      '',
      '0',
      '05',
      '05 ',
      '05!',
      '05"',
      '05&',
      '05<',
      '05A',
      '05Z',
      '05[',
      '05\\',
      '05\u0001',
      '05\u2028',
      '05a',
      '05é',
      '050',
      '06',
      'Z',
      'a',
      'é',
    ];
    await docs.createIndex({ position: 1, _id: 1 }, { name: 'position' });
    await docs.insertMany(texts.map((position, n) => ({ _id: `d${n}`, position })));
    await docs.insertMany([7, null, true].map((position, n) => ({ _id: `other${n}`, position }) as unknown as Doc));
    const found = async (position: object): Promise<string[]> =>
      (await docs.find({ position }).toArray()).map((doc) => doc.position).sort();
    const those = (test: (order: number) => boolean, bound: string) =>
      texts.filter((text) => test(Buffer.compare(Buffer.from(text), Buffer.from(bound)))).sort();
    for (const bound of texts) {
      expect(await found({ $gt: bound }), `after ${bound}`).toEqual(those((order) => order > 0, bound));
      expect(await found({ $gte: bound }), `from ${bound}`).toEqual(those((order) => order >= 0, bound));
      expect(await found({ $lt: bound }), `before ${bound}`).toEqual(those((order) => order < 0, bound));
    }
  });

  it('finds the first and the last by id', async () => {
    const pad = (n: number): string => String(n).padStart(20, '0');
    await docs.insertMany([7, 12, 3, 100, 99].map((n) => ({ _id: pad(n), position: '01' })));
    expect(await docs.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } })).toEqual({ _id: pad(100) });
    expect(await docs.findOne({}, { sort: { _id: 1 } })).toEqual({ _id: pad(3), position: '01' });
    expect(await db.collection('none').findOne({}, { sort: { _id: -1 } })).toBeNull();
  });

  it('reads a cursor over several batches', async () => {
    await docs.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: String(n).padStart(4, '0'), position: '01' })));
    const seen: string[] = [];
    for await (const doc of docs.find({}, { sort: { _id: 1 }, batchSize: 40 })) seen.push(doc._id);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => String(n).padStart(4, '0')));
  });

  it('accepts a checkpoint with majority write concern', async () => {
    const result = await docs.updateOne(
      { _id: 'c' },
      { $set: { position: '09' } },
      { upsert: true, writeConcern: { w: 'majority' } },
    );
    expect(result.upsertedCount).toBe(1);
  });

  it('isolates many small databases', async () => {
    const names = Array.from({ length: 30 }, () => new URL(server.freshDatabaseUrl()).pathname.slice(1));
    await Promise.all(
      names.map((name) => client.db(name).collection<Doc>('docs').insertOne({ _id: name, position: '01' })),
    );
    for (const name of names)
      expect((await client.db(name).collection<Doc>('docs').find().toArray()).map((doc) => doc._id)).toEqual([name]);
  });

  it('continues an unordered bulk write after a refused update', async () => {
    await docs.insertOne({ _id: 'a', position: '05' });
    const operations = [guarded('b', '06', 6), guarded('a', '04', 4), guarded('a', '03', 3), guarded('c', '06', 6)];
    const outcome = await docs.bulkWrite(operations, { ordered: false }).catch((error) => error);
    expect([outcome.writeErrors].flat().map(({ code, index }) => ({ code, index }))).toEqual([
      { code: 11000, index: 1 },
      { code: 11000, index: 2 },
    ]);
    expect(await docs.countDocuments()).toBe(3);
  });

  it('announces writes in a change stream', async () => {
    const stream = docs.watch();
    const first = stream.tryNext();
    expect(await first).toBeNull();
    await docs.insertOne({ _id: 'a', position: '01' });
    expect(await stream.next()).toMatchObject({ operationType: 'insert', documentKey: { _id: 'a' } });
    await stream.close();
  });

  it('keeps acknowledged writes after kill -9, at the same address', async () => {
    const first = await startMongoServer();
    const url = `${first.url}kept`;
    const before = await new MongoClient(url).connect();
    await before
      .db()
      .collection<Doc>('docs')
      .insertOne({ _id: 'a', position: '01' }, { writeConcern: { w: 'majority', journal: true } });
    await before.close();
    await first.kill();
    const second = await startMongoServer({ dir: first.dir, port: Number(new URL(first.url).port) });
    expect(second.url).toBe(first.url);
    const after = await new MongoClient(url).connect();
    expect(await after.db().collection<Doc>('docs').findOne()).toEqual({ _id: 'a', position: '01' });
    await after.close();
    await second.close();
    await first.close();
    expect(existsSync(first.dir)).toBe(false);
  });

  it('of three members, elects another primary when one steps down or is killed, and takes it back', async () => {
    const three = await startMongoServer({ members: 3 });
    const own = await new MongoClient(`${three.url}three`, {
      writeConcern: { w: 'majority', journal: true },
    }).connect();
    const written = own.db().collection<Doc>('docs');
    const first = await three.primary();
    await three.stepDown();
    await written.insertOne({ _id: 'a', position: '01' });
    const second = await three.primary();
    expect(second.port).not.toBe(first.port);
    await second.kill();
    await written.insertOne({ _id: 'b', position: '02' });
    expect((await three.primary()).port).not.toBe(second.port);
    await second.start();
    expect(await written.countDocuments()).toBe(2);
    await own.close();
    await three.close();
  });
});
