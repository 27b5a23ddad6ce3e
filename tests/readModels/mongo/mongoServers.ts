/**
 * The servers for tests of the MongoDB read models: a replica set, the same without its change streams, and the one in
 * TEST_MONGODB_URL.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { connectMongo, type MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';
import { type MongoReadModelsOptions, openMongoReadModels } from '../../../src/readModels/mongo/mongoDb.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { available, MONGOD } from '../../given/requirements.ts';
import { type MongoServer, startMongoServer } from '../../servers/mongoServer.ts';

/** A server of one's own: databases are created and dropped on it. */
export const REAL_SERVER = process.env.TEST_MONGODB_URL ?? '';

/** A database for one case, with as many connections and read models as it opens. */
export type MongoCase = {
  readonly url: string;
  /** `monitorCommands`: the driver reports each command that it sends. */
  connect(options?: { readonly monitorCommands?: boolean }): Promise<MongoConnection>;
  open(options?: MongoReadModelsOptions, connection?: MongoConnection): Promise<ReadModels>;
  /** Closes everything that was opened, and drops the database. */
  dispose(): Promise<void>;
};

export function describeOnMongo(name: string, cases: (newCase: () => MongoCase) => void): void {
  describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))(name, () => {
    let server: MongoServer;
    beforeAll(async () => {
      server = await startMongoServer();
    });
    afterAll(() => server?.close());
    describe('with change streams', () => cases(() => createCase(server.freshDatabaseUrl())));
    describe('by polling', () => cases(() => createCase(server.freshDatabaseUrl(), { polls: true })));
  });
  describe.skipIf(REAL_SERVER === '')(`${name}, on the server of TEST_MONGODB_URL`, () =>
    cases(() => createCase(freshDatabaseOf(REAL_SERVER))),
  );
}

export function freshDatabaseOf(url: string): string {
  const [address = '', query] = url.split('?');
  const host = /^mongodb(?:\+srv)?:\/\/[^/]*/.exec(address)?.[0] ?? address;
  return `${host}/t${randomUUID().replaceAll('-', '')}${query === undefined ? '' : `?${query}`}`;
}

/** `polls`: as if the server had no change streams. */
export function createCase(url: string, { polls = false }: { readonly polls?: boolean } = {}): MongoCase {
  const connections: MongoConnection[] = [];
  const opened: ReadModels[] = [];
  const connect = async ({ monitorCommands = false }: { readonly monitorCommands?: boolean } = {}) => {
    const made = await connectMongo({
      url: monitorCommands ? `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true` : url,
    });
    const connection = polls ? { ...made, isReplicaSet: false } : made;
    connections.push(connection);
    return connection;
  };
  return {
    url,
    connect,
    open: async (options, connection) => {
      const readModels = await openMongoReadModels(connection ?? (await connect()), options);
      opened.push(readModels);
      return readModels;
    },
    dispose: async () => {
      await Promise.all(opened.map((readModels) => readModels.close()));
      await (connections[0] ?? (await connect())).db.dropDatabase();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
