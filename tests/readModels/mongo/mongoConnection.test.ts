/** Connecting to MongoDB: the database, refused servers, and no text shows a password. */
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { BSON, type MongoClient } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { connectMongo } from '../../../src/readModels/mongo/mongoConnection.ts';
import { asReadModelError } from '../../../src/readModels/mongo/mongoErrors.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { startMongoServer } from '../../servers/mongoServer.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function refusal(url: string): Promise<{ code: string; message: string }> {
  return connectMongo({ url }).then(
    async (connection) => {
      await connection.close();
      throw new Error('It connected.');
    },
    (error: { code: string; message: string }) => error,
  );
}

/** Speaks just enough of the protocol to report its age. */
async function oldServer(maxWireVersion: number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (request) => socket.write(helloReply(request, maxWireVersion)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_REPLY = 1;

function helloReply(request: Buffer, maxWireVersion: number): Buffer {
  const answer = BSON.serialize({
    ok: 1,
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    minWireVersion: 0,
    maxWireVersion,
    maxBsonObjectSize: 16777216,
  });
  const isQuery = request.readInt32LE(12) === OP_QUERY;
  // A reply to the old query has flags, cursor, start and count; a message has flags and the kind of its section.
  const prefix = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) prefix.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(header.length + prefix.length + answer.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, prefix, answer]);
}

describe('connecting to MongoDB', () => {
  it('names host and port of an unavailable server, and no credentials', async () => {
    const error = await refusal('mongodb://ada:s3cret-word@127.0.0.1:1/app?serverSelectionTimeoutMS=200');
    expect(error).toMatchObject({ name: 'ReadModelError', code: 'READ_MODELS_UNAVAILABLE' });
    expect(error.message).toContain('127.0.0.1:1');
    expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/s3cret|ada/);
  });

  it.each([
    ['that the driver still speaks to', 9],
    ['that the driver does not speak to', 3],
  ])('refuses a server %s but that is too old, and says so', async (_, wireVersion) => {
    const host = await oldServer(wireVersion);
    const error = await refusal(`mongodb://${host}/?serverSelectionTimeoutMS=2000`);
    expect(error).toMatchObject({
      code: 'READ_MODELS_UNREADABLE',
      message: expect.stringMatching(/too old: 5\.0 or newer/),
    });
    expect(error.message).toContain(host);
  });

  it('refuses an invalid address, without repeating it', async () => {
    for (const url of [
      '',
      'localhost:27017',
      'http://ada:s3cret-word@localhost',
      'mongodb://',
      'mongodb://ada:s3cret-word@host:27017/?nonsense=1',
    ]) {
      const error = await refusal(url);
      expect(`${url} ${error.code}`).toBe(`${url} READ_MODELS_UNREADABLE`);
      expect(error.message).not.toMatch(/s3cret/);
    }
  });

  it('passes on other errors', () => {
    const error = new Error('mine');
    expect(asReadModelError(error)).toBe(error);
  });

  describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('on a replica set', () => {
    it('takes the database from the address, `seo` by default, and limits every wait unless the address does', async () => {
      const server = await startMongoServer();
      const { host } = new URL(server.url);
      const plain = await connectMongo({ url: `mongodb://${host}` });
      const named = await connectMongo({ url: `mongodb://${host}/other?socketTimeoutMS=1234&maxPoolSize=3` });
      expect([plain.db.databaseName, named.db.databaseName]).toEqual(['seo', 'other']);
      expect(plain.client.options).toMatchObject({
        maxPoolSize: 20,
        connectTimeoutMS: 5_000,
        serverSelectionTimeoutMS: 5_000,
        socketTimeoutMS: 30_000,
        waitQueueTimeoutMS: 10_000,
        writeConcern: { w: 'majority', journal: true },
      });
      expect(named.client.options).toMatchObject({ socketTimeoutMS: 1234, maxPoolSize: 3, connectTimeoutMS: 5_000 });
      expect([plain.isReplicaSet, named.isReplicaSet]).toEqual([true, true]);
      await Promise.all([plain.close(), named.close()]);
      await server.close();
    });

    it.each([
      ['it writes to them', (_: MongoClient, end: () => void) => end()],
      [
        'it asks whether the server is there',
        (client: MongoClient, end: () => void) => {
          client.once('serverHeartbeatStarted', end);
          return once(client, 'serverHeartbeatFailed');
        },
      ],
    ])('continues when all its sockets end at the moment in which %s', async (_, endAll) => {
      const server = await startMongoServer();
      const sockets: Socket[] = [];
      const opened = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket);
      channel('net.client.socket').subscribe(opened);
      const connection = await connectMongo({ url: `${server.url}?heartbeatFrequencyMS=500` });
      try {
        const things = connection.db.collection<{ _id: string }>('things');
        await things.insertOne({ _id: 'one' });
        const ended = endAll(connection.client, () => {
          for (const socket of sockets) socket.destroy();
        });
        const found = await Promise.all(Array.from({ length: 5 }, () => things.findOne({ _id: 'one' })));
        expect(found).toEqual(Array.from({ length: 5 }, () => ({ _id: 'one' })));
        await ended;
        await once(connection.client, 'serverHeartbeatSucceeded');
      } finally {
        channel('net.client.socket').unsubscribe(opened);
        await connection.close();
        await server.close();
      }
    });

    it('reports when the server goes down and comes back', async () => {
      const first = await startMongoServer();
      const lines: string[] = [];
      let came = () => {};
      const take = (_: object, message: string) => {
        lines.push(message);
        came();
      };
      const until = async (count: number) => {
        while (lines.length < count) {
          await new Promise<void>((resolve) => {
            came = resolve;
          });
        }
      };
      const connection = await connectMongo({
        url: `${first.url}?heartbeatFrequencyMS=500&serverSelectionTimeoutMS=200`,
        log: { info: take, warn: take },
      });
      await first.kill();
      await until(2);
      const second = await startMongoServer({ dir: first.dir, port: Number(new URL(first.url).port) });
      await until(3);
      expect(lines).toEqual(['MongoDB answers', 'MongoDB does not answer', 'MongoDB answers']);
      await connection.close();
      await second.close();
      await first.close();
    });
  });
});
