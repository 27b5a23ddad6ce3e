/**
 * Change streams of a replica set report that there is something new. Without one, the reader polls, and sees the same.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followChangeStream } from '../../../src/readModels/mongo/mongoChangeStream.ts';
import type { MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';
import { openMongoReadModels } from '../../../src/readModels/mongo/mongoDb.ts';
import { createOutbox } from '../../../src/readModels/mongo/mongoOutbox.ts';
import { follow, put, remove, served, take, write } from '../../contract/readModelsHarness.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { type MongoServer, startMongoServer } from '../../servers/mongoServer.ts';
import { createCase, type MongoCase } from './mongoServers.ts';

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('change streams', () => {
  let server: MongoServer;
  let mongo: MongoCase;
  let connection: MongoConnection;
  beforeAll(async () => {
    server = await startMongoServer();
  });
  beforeEach(async () => {
    mongo = createCase(server.freshDatabaseUrl());
    connection = await mongo.connect();
  });
  afterEach(() => mongo.dispose());
  afterAll(() => server?.close());

  it('announce each batch that another process writes, in order, and none after they were closed', async () => {
    const outbox = createOutbox(connection.db, 100, 60_000);
    const told: (number | boolean)[] = [];
    let notify = () => {};
    const tell = (what: number | boolean) => {
      told.push(what);
      notify();
    };
    const until = async (what: number | boolean) => {
      while (!told.includes(what)) await new Promise<void>((resolve) => (notify = resolve));
    };
    const announcements = followChangeStream(outbox, { announce: tell, setAnnounced: tell }, (error) => {
      throw error;
    });
    await until(true);
    const writer = await mongo.open();
    await served(writer);
    for (let position = 1; position <= 4; position++) await write(writer, [put('a', position)]);
    const newest = await outbox.newest();
    await until(newest);
    await announcements.close();
    await write(writer, [put('b', 99)]);
    expect(told).toEqual([true, ...Array.from({ length: newest }, (_, index) => index + 1), false]);
  });

  it('a watch without polling receives what another process writes', async () => {
    const hour = 3_600_000;
    const reader = await openMongoReadModels(connection, { pollMs: hour });
    const writer = await mongo.open();
    await served(writer);
    const changes = follow(reader);
    const stop = new AbortController();
    const begun = follow(reader, { signal: stop.signal, onCaughtUp: () => stop.abort() });
    const first = changes.next();
    while (!(await begun.next()).done);
    await write(writer, [put('a', 1)]);
    expect((await first).value).toMatchObject({ id: 'a' });
    await write(writer, [put('a', 2), remove('a', 3)]);
    expect(await take(changes, 2)).toEqual(['UPDATE a@2', 'DELETE a@3']);
    await reader.close();
  });

  it('delivers the same sequence as polling', async () => {
    const streaming = await mongo.open();
    const polling = await mongo.open({}, { ...connection, isReplicaSet: false });
    const writer = await mongo.open();
    await served(writer);
    const followed = [follow(streaming), follow(polling)];
    const firsts = followed.map((changes) => changes.next());
    for (const readModels of [streaming, polling]) {
      const stop = new AbortController();
      const begun = follow(readModels, { signal: stop.signal, onCaughtUp: () => stop.abort() });
      while (!(await begun.next()).done);
    }
    for (let position = 1; position <= 50; position += 2) {
      await write(writer, [
        put(`r${position % 3}`, position),
        position % 5 === 0 ? remove(`r${position % 4}`, position + 1) : put('x', position + 1),
      ]);
    }
    await write(writer, [put('last', 60)]);
    const [streamed, polled] = await Promise.all(
      followed.map(async (changes, index) => {
        const received = [(await firsts[index])?.value];
        while (received.at(-1)?.id !== 'last') received.push((await changes.next()).value);
        return received;
      }),
    );
    expect(streamed?.length).toBeGreaterThan(40);
    expect(streamed).toEqual(polled);
  });

  it('are opened again when one breaks, without harm', async () => {
    const failures: unknown[] = [];
    const readModels = await mongo.open({ onFailure: (error) => void failures.push(error) }, connection);
    await served(readModels);
    const changes = follow(readModels);
    await write(readModels, [put('a', 1)]);
    expect(await take(changes, 1)).toEqual(['INSERT a@1']);
    const admin = connection.client.db('admin');
    // Its cursor waits on the server for the next batch.
    const waiting = { ns: `${connection.db.databaseName}.changes`, 'cursor.tailable': true };
    const open = await admin.aggregate([{ $currentOp: { idleCursors: true } }, { $match: waiting }]).toArray();
    expect(open.length).toBeGreaterThan(0);
    await connection.db.command({ killCursors: 'changes', cursors: open.map(({ cursor }) => cursor.cursorId) });
    await write(readModels, [put('b', 2)]);
    expect(await take(changes, 1)).toEqual(['INSERT b@2']);
  });
});
