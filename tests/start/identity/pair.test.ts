/**
 * The identity of an installation on EventStoreDB and MongoDB: many processes on several machines, each with its own
 * folder or none.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IDENTITY_STREAM } from '../../../src/domain/installation/events.ts';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { IDENTITY_MARK } from '../../../src/readModels/identity.ts';
import { createMongoMarks } from '../../../src/readModels/mongo/coordination/mongoMarks.ts';
import { connectMongo, type MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';
import type { DocumentRecord } from '../../../src/readModels/mongo/mongoDocuments.ts';
import { mongoReadModelsIdentity } from '../../../src/readModels/mongo/mongoIdentity.ts';
import {
  accountsIn,
  dataFolder,
  type Folder,
  rebuiltAccounts,
  type StartSettings,
  withAccount,
} from '../../given/product/folder.ts';
import { startServer } from '../../given/product/processes.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../../servers/eventStoreDb.ts';
import { type MongoServer, startMongoServer } from '../../servers/mongoServer.ts';

const here = available('mongod (scripts/fetchMongod.sh)', MONGOD);

describe.skipIf(!here)('processes that share their stores', () => {
  let mongo: MongoServer;
  let log: EventStoreDbServer;
  let servers: NonNullable<StartSettings['servers']>;
  let made: Folder[];
  beforeAll(async () => {
    mongo = await startMongoServer();
  });
  afterAll(() => mongo.close());
  beforeEach(async () => {
    log = await startEventStoreDbServer();
    servers = { eventStoreUrl: log.url, mongoUrl: mongo.freshDatabaseUrl() };
    made = [];
  });
  afterEach(async () => {
    for (const each of made) each.remove();
    await log.close();
  });

  /** A machine, with a folder of its own. */
  function machine(dir?: string): Folder {
    const folder = dataFolder(dir);
    made.push(folder);
    return folder;
  }

  async function inDatabase<T>(use: (connection: MongoConnection) => Promise<T>): Promise<T> {
    const connection = await connectMongo({ url: servers.mongoUrl });
    try {
      return await use(connection);
    } finally {
      await connection.close();
    }
  }

  async function identityEvents() {
    const store = await openEventStoreDb({ url: servers.eventStoreUrl });
    const read = await store.read(IDENTITY_STREAM);
    await store.close();
    return read.status === 'found' ? read.events.map(({ type }) => type) : [];
  }

  it('agree on one identity at their first start, all at once, on machines with and without a folder', async () => {
    const noFolder = join(machine().dir, 'a-file', 'data');
    writeFileSync(dirname(noFolder), '');
    const folders = [machine(), machine(), machine(join(machine().dir, 'not', 'there')), machine(noFolder)];
    const ids = await Promise.all([...folders, ...folders].map(async (folder) => (await folder.start({ servers })).id));
    expect(new Set(ids).size).toBe(1);
    expect(await identityEvents()).toEqual(['InstallationIdentified']);
    for (const folder of folders.slice(0, 3)) expect(folder.read('installation-id')).toBe(ids[0]);
    expect(await inDatabase((connection) => mongoReadModelsIdentity(connection).read())).toBe(ids[0]);
  });

  it('let a second machine with the same log write its file, and one of another installation is refused', async () => {
    const [first, second, foreign] = [machine(), machine(), machine()];
    const { id } = await first.start({ servers }, withAccount());
    expect(await second.start({ servers }, accountsIn)).toEqual({ id, did: ['ann@example.com'] });
    expect(second.read('installation-id')).toBe(id);
    const { id: other } = await foreign.start();
    const text = await foreign.refusal({ servers });
    expect(text).toContain(`installation-id belongs to the installation ${other}`);
    expect(text).not.toContain('\n');
  });

  it('refuse an empty log beside read models, until they begin again, at once and together', async () => {
    const [first, second] = [machine(), machine()];
    const { id } = await first.start({ servers, SHARE_SECRET: 's'.repeat(32) }, withAccount());
    await log.close();
    log = await startEventStoreDbServer();
    servers = { ...servers, eventStoreUrl: log.url };
    expect(await second.refusal({ servers })).toMatch(
      new RegExp(`^The event log is missing: .*MONGODB_URL belongs to the installation ${id}`),
    );
    expect(await first.refusal({ servers })).toContain(`BEGIN_ANEW=${id}`);
    expect(await inDatabase((connection) => mongoReadModelsIdentity(connection).read())).toBe(id);
    const anew = { servers, BEGIN_ANEW: id ?? '' };
    const begun = await Promise.all([first, second, machine()].map((folder) => folder.start(anew, accountsIn)));
    expect(new Set(begun.map((each) => each.id)).size).toBe(1);
    expect(begun.map(({ did }) => did)).toEqual([[], [], []]);
    expect(begun[0]?.id).not.toBe(id);
    const names = await inDatabase(async ({ db }) => (await db.listCollections().toArray()).map(({ name }) => name));
    expect(names).toContain(`aside_${id}_builds`);
    const accounts = names.find((name) => name.startsWith(`aside_${id}_docs_accounts`)) ?? expect.fail();
    expect(await inDatabase(({ db }) => db.collection(accounts).countDocuments())).toBe(1);
    expect(await first.start(anew, rebuiltAccounts)).toEqual({ id: begun[0]?.id, did: [] });
  });

  it('can be killed while the read models are moved aside', async () => {
    const folder = machine();
    const { id } = await folder.start({ servers }, withAccount());
    await log.close();
    log = await startEventStoreDbServer();
    servers = { ...servers, eventStoreUrl: log.url };
    // Killed after half of them.
    await inDatabase(async ({ db }) => {
      const names = (await db.listCollections().toArray()).map(({ name }) => name).filter((name) => name !== 'marks');
      for (const name of names.slice(0, Math.ceil(names.length / 2)))
        await db.collection(name).rename(`aside_${id}_${name}`);
    });
    expect(await folder.refusal({ servers })).toContain(`BEGIN_ANEW=${id}`);
    const { id: next } = await folder.start({ servers, BEGIN_ANEW: id ?? '' }, withAccount('bob@example.com'));
    expect(await folder.start({ servers }, rebuiltAccounts)).toEqual({ id: next, did: ['bob@example.com'] });
  });

  it('build the read models again if their database is empty', async () => {
    const folder = machine();
    const { id } = await folder.start({ servers }, withAccount());
    await inDatabase(({ db }) => db.dropDatabase());
    expect(await folder.start({ servers }, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    const [other] = [mongo.freshDatabaseUrl()];
    expect(await folder.start({ servers: { ...servers, mongoUrl: other } }, rebuiltAccounts)).toEqual({
      id,
      did: ['ann@example.com'],
    });
  });

  it('refuse the read models of another installation', async () => {
    const [first, second] = [machine(), machine()];
    await first.start({ servers }, withAccount());
    const otherLog = await startEventStoreDbServer();
    const otherServers = { eventStoreUrl: otherLog.url, mongoUrl: mongo.freshDatabaseUrl() };
    const { id: other } = await second.start({ servers: otherServers }, withAccount('bob@example.com'));
    const mixed = { servers: { ...servers, mongoUrl: otherServers.mongoUrl } };
    expect(await machine().refusal(mixed)).toContain(`BEGIN_ANEW=${other}`);
    await otherLog.close();
  });

  it('refuse the unnamed read models of another installation, and move those of another copy of the log aside', async () => {
    const [first, second] = [machine(), machine()];
    const unname = () => inDatabase((connection) => createMongoMarks(connection).remove(IDENTITY_MARK));
    const { id } = await first.start({ servers }, withAccount());
    await unname();
    const otherLog = await startEventStoreDbServer();
    const mixed = { ...servers, eventStoreUrl: otherLog.url };
    await second.start({ servers: { ...mixed, mongoUrl: mongo.freshDatabaseUrl() } }, withAccount('bob@example.com'));
    const text = await machine().refusal({ servers: mixed });
    expect(text).toContain('the database in MONGODB_URL belongs to another installation');
    expect(text).toContain('BEGIN_ANEW=unnamed');
    await otherLog.close();
    expect(await first.start({ servers }, accountsIn)).toEqual({ id, did: ['ann@example.com'] });
    await unname();
    await inDatabase(async ({ db }) => {
      const name =
        (await db.listCollections().toArray())
          .map((each) => each.name)
          .find((each) => each.startsWith('docs_accounts')) ?? expect.fail();
      const documents = db.collection<DocumentRecord>(name);
      const ann = (await documents.findOne()) ?? expect.fail();
      const createdAt = '2126-01-01T00:00:00.000Z';
      const data = JSON.stringify({ ...JSON.parse(ann.data ?? ''), email: 'gone@example.com', createdAt });
      await documents.insertOne({
        ...ann,
        _id: '0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e',
        data,
        keys: { ...ann.keys, createdAt },
      });
    });
    const started = await Promise.all(
      [first, machine(), machine()].map((folder) => folder.start({ servers }, accountsIn)),
    );
    expect(started).toEqual(started.map(() => ({ id, did: [] })));
    expect(await first.start({ servers }, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
  });

  it('build read models of another copy of the log again', async () => {
    const folder = machine();
    const { id } = await folder.start({ servers }, withAccount());
    await inDatabase(async ({ db }) => {
      const builds = db.collection<{ _id: string; lastEvent?: string }>('builds');
      for (const { _id, lastEvent } of await builds.find().toArray()) {
        const [position, revision, , stream] = (lastEvent ?? expect.fail()).split(' ');
        await builds.updateOne(
          { _id },
          { $set: { lastEvent: `${position} ${revision} 0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e ${stream}` } },
        );
      }
      const name =
        (await db.listCollections().toArray())
          .map((each) => each.name)
          .find((each) => each.startsWith('docs_accounts')) ?? expect.fail();
      const [ann] = await db.collection(name).find().toArray();
      await db.collection<{ _id: string }>(name).insertOne({ ...ann, _id: '0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e' });
    });
    expect((await folder.start({ servers }, accountsIn)).did).toHaveLength(2);
    expect(await folder.start({ servers }, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    const builds = () =>
      inDatabase(async ({ db }) =>
        (await db.collection<{ _id: string }>('builds').find().toArray()).map(({ _id }) => _id).sort(),
      );
    const before = await builds();
    expect(await folder.start({ servers }, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    expect(await builds()).toEqual(before);
  });

  it('recognize the keys in their settings', async () => {
    const [SHARE_SECRET, MFA_SECRET, OTHER] = ['s'.repeat(32), 'm'.repeat(32), 'o'.repeat(32)];
    const { id } = await machine().start({ servers, SHARE_SECRET, MFA_SECRET });
    expect(await machine().start({ servers })).toMatchObject({ id });
    const text = await machine().refusal({ servers, SHARE_SECRET: OTHER });
    expect(text).toMatch(/^SHARE_SECRET is not the key that the installation/);
    const { id: next } = await machine().start({ servers, SHARE_SECRET: OTHER, BEGIN_ANEW: id ?? '' });
    expect(next).not.toBe(id);
    expect(await machine().start({ servers, SHARE_SECRET: OTHER, BEGIN_ANEW: id ?? '' })).toMatchObject({ id: next });
  });

  it.skipIf(process.getuid?.() === 0)('start where the folder can only be read', async () => {
    const folder = machine();
    chmodSync(folder.dir, 0o500);
    expect((await folder.start({ servers })).id).not.toBeNull();
    chmodSync(folder.dir, 0o700);
    expect(existsSync(folder.path('installation-id'))).toBe(false);
  });

  it('the roles of the built server: started at once, and refused in one line', async () => {
    const dir = machine().dir;
    const env = (ROLE: string, DATA_DIR: string) => ({
      ROLE,
      DATA_DIR,
      EVENTSTORE_URL: servers.eventStoreUrl,
      MONGODB_URL: servers.mongoUrl,
    });
    mkdirSync(join(dir, 'shared'));
    const roles = ['projector', 'http', 'worker', 'http', 'worker'].map((role, index) =>
      startServer({ env: env(role, join(dir, index < 2 ? 'shared' : String(index))) }),
    );
    await Promise.all(roles.map((role) => role.ready()));
    expect(await identityEvents()).toEqual(['InstallationIdentified']);
    const id = readFileSync(join(dir, 'shared', 'installation-id'), 'utf8');
    for (const name of ['2', '3', '4']) expect(readFileSync(join(dir, name, 'installation-id'), 'utf8')).toBe(id);
    for (const role of roles) expect(await role.stop()).toBe(0);
    rmSync(join(dir, '2', 'installation-id'));
    writeFileSync(join(dir, '3', 'installation-id'), '0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e\n');
    const refused = startServer({ env: env('worker', join(dir, '3')) });
    await expect(refused.started).rejects.toThrow();
    expect(refused.output()).toMatch(/^EventStoreDB \(EVENTSTORE_URL\) is the event log of the installation [^\n]*\n$/);
    expect(refused.child.exitCode).toBe(1);
  });
});
