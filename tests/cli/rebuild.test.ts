/** `npm run rebuild`, run as a user runs it. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { createMongoLeases } from '../../src/readModels/mongo/coordination/mongoLeases.ts';
import { connectMongo } from '../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../src/readModels/mongo/mongoDb.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { runProgram } from '../given/product/program.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';
import { startMongoServer } from '../servers/mongoServer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rebuild-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rebuild = (env: Readonly<Record<string, string>> = {}) => runProgram('rebuild', [], { DATA_DIR: folder, ...env });

const registered = (userId: string) => ({
  id: '00000000-0000-4000-8000-000000000001',
  type: 'AccountRegistered',
  data: { userId, email: 'ada@example.com', name: 'Ada', passwordHash: 'x', registeredAt: '2026-01-01T00:00:00.000Z' },
  metadata: metadataAt('2026-01-01T00:00:00.000Z', { kind: 'user', id: userId }),
});

const here = available('mongod (scripts/fetchMongod.sh)', MONGOD);

describe.skipIf(!here)('npm run rebuild on the production stores', () => {
  it('fills every read model while no projector is running, and refuses while one is', async () => {
    const eventStore = await startEventStoreDbServer();
    const mongo = await startMongoServer();
    const env = { EVENTSTORE_URL: eventStore.url, MONGODB_URL: mongo.freshDatabaseUrl() };
    const store = await openEventStoreDb({ url: eventStore.url });
    await store.append('account-u1', [registered('u1')], { expected: 'no_stream' });
    await store.close();
    expect(await rebuild(env)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Rebuilt ${READ_MODELS.length} read models from 1 event`),
    });
    const connection = await connectMongo({ url: env.MONGODB_URL });
    const readModels = await openMongoReadModels(connection);
    expect((await readModels.get<{ name: string }>('accounts', 'u1'))?.data.name).toBe('Ada');
    const leases = createMongoLeases(connection);
    const held = await leases.acquire({
      name: 'projector',
      owner: 'a projector',
      seen: await leases.read('projector'),
      tokenAbove: 0,
    });
    const beating = setInterval(() => held && void leases.renew(held), 500);
    expect(await rebuild(env)).toMatchObject({ code: 1, output: expect.stringContaining('A projector is running') });
    clearInterval(beating);
    await readModels.close();
    await connection.close();
    await Promise.all([mongo.close(), eventStore.close()]);
  }, 60_000);
});

describe('npm run rebuild', () => {
  it('fills every read model from the log, and reports how many and how fast', async () => {
    const store = openSqliteEventStore({ file: join(folder, 'events.db') });
    await store.append('account-u1', [registered('u1')], { expected: 'no_stream' });
    const other = {
      id: randomUUID(),
      type: 'OfNoReadModel',
      data: {},
      metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    };
    await store.append('other-1', [other], { expected: 'no_stream' });
    await store.close();
    expect(await rebuild()).toEqual({
      code: 0,
      output: expect.stringMatching(
        new RegExp(
          `^Rebuilt ${READ_MODELS.length} read models from 1 event \\(the log has 2\\) in [\\d.]+ s \\(\\d+ events/s\\)\\.\\n$`,
        ),
      ),
    });
    const readModels = openSqliteReadModels({ file: join(folder, 'readModels.db') });
    expect((await readModels.get<{ name: string }>('accounts', 'u1'))?.data.name).toBe('Ada');
    await readModels.close();
  });

  it('refuses without a log and while the server is running, and names invalid settings', async () => {
    expect(await rebuild()).toMatchObject({ code: 1, output: expect.stringMatching(/nothing to rebuild/) });
    const store = openSqliteEventStore({ file: join(folder, 'events.db') });
    await store.append('account-u1', [registered('u1')], { expected: 'no_stream' });
    expect(await rebuild()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/events\.db is in use by another process/),
    });
    await store.close();
    expect(await rebuild({ PORT: 'many' })).toMatchObject({ code: 1, output: expect.stringMatching(/PORT/) });
  });
});
