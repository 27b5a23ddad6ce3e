/**
 * The lease contract on MongoDB, also on the server of TEST_MONGODB_URL; and in memory, as the leadership tests use it.
 */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMongoLeases } from '../../../src/readModels/mongo/coordination/mongoLeases.ts';
import { describeLeases, type LeasesHarness } from '../../contract/leases.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { memoryLeases } from '../../given/stores/leases.ts';
import { type MongoServer, startMongoServer } from '../../servers/mongoServer.ts';

describeLeases('memory', async () => {
  const leases = memoryLeases();
  return { leases, removeByHand: async (name) => leases.removeByHand(name) };
});

function harness(client: MongoClient): LeasesHarness {
  const db = client.db(`t${randomUUID().replaceAll('-', '')}`);
  return {
    leases: createMongoLeases({ db }),
    removeByHand: async () => void (await db.collection('leases').deleteMany({})),
  };
}

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('on a replica set', () => {
  let server: MongoServer;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });
  describeLeases('MongoDB', async () => harness(client));

  it('fails while the server is down, and keeps its leases when it is back', async () => {
    const first = await startMongoServer();
    const own = await new MongoClient(`${first.url}leases`, { serverSelectionTimeoutMS: 300 }).connect();
    const leases = createMongoLeases({ db: own.db() });
    const record = await leases.acquire({ name: 'projector', owner: 'ada', seen: null, tokenAbove: 0 });
    await first.kill();
    await expect(leases.read('projector')).rejects.toThrow();
    const second = await startMongoServer({ dir: first.dir, port: Number(new URL(first.url).port) });
    expect(await leases.read('projector')).toEqual(record);
    await own.close();
    await second.close();
    await first.close();
  });
});

const realServer = process.env.TEST_MONGODB_URL;
describe.skipIf(!realServer)('on the server of TEST_MONGODB_URL', () => {
  let client: MongoClient;
  const used: LeasesHarness[] = [];
  beforeAll(async () => {
    client = await new MongoClient(realServer ?? '').connect();
  });
  afterAll(async () => {
    await client?.close();
  });
  describeLeases('MongoDB', async () => {
    used.push(harness(client));
    return used.at(-1)!;
  });
});
