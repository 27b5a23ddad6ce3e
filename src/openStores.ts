/** Opens the stores that the configuration names. The drivers of the servers are loaded only where they are used. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { answerBackups } from './eventStore/backupRequests.ts';
import type { EventStore } from './eventStore/eventStore.ts';
import { openSqliteEventStore } from './eventStore/sqlite.ts';
import type { Leases } from './readModels/leases.ts';
import { ReadModelError, type ReadModels } from './readModels/readModels.ts';
import { openSqliteReadModels } from './readModels/sqlite.ts';

/** For a server that does not answer at the start, ms. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 500;

export type Stores = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** By which processes agree who projects; null: there is only this process. */
  readonly leases: Leases | null;
  /** What keeps the data, for people; without credentials. */
  readonly label: string;
  close(): Promise<void>;
};

/** @throws StoreUnavailable, ReadModelError when a server is away or too old, or another process holds the files */
export async function openStores(config: Pick<Config, 'servers' | 'DATA_DIR'>, log: Logger): Promise<Stores> {
  // Waiting for a server that is away keeps nothing open: without this the process would end before it has said why.
  const waiting = setInterval(() => undefined, 60_000);
  try {
    return await (config.servers ? openServers(config.servers, log) : openFiles(config.DATA_DIR, log));
  } finally {
    clearInterval(waiting);
  }
}

async function openFiles(dataDir: string, log: Logger): Promise<Stores> {
  const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
  const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
  const backups = await answerBackups(dataDir, (target) => store.backup(target)).catch((error: unknown) => {
    log.warn({ err: error }, 'backups can only be made while the server is stopped');
    return null;
  });
  return {
    store,
    readModels,
    leases: null,
    label: `SQLite files in ${dataDir}`,
    close: async () => {
      await backups?.close();
      await readModels.close();
      await store.close();
    },
  };
}

async function openServers({ eventStoreUrl, mongoUrl }: NonNullable<Config['servers']>, log: Logger): Promise<Stores> {
  const [{ openEventStoreDb }, { connectMongo }, { openMongoReadModels }, { createMongoLeases }] = await Promise.all([
    import('./eventStore/eventStoreDb.ts'),
    import('./readModels/mongoConnection.ts'),
    import('./readModels/mongoDb.ts'),
    import('./readModels/mongoLeases.ts'),
  ]);
  const store = await openEventStoreDb({ url: eventStoreUrl, log, removesOldGroups: true });
  try {
    const { connection, readModels } = await patiently(log, async () => {
      const connection = await connectMongo({ url: mongoUrl, log });
      try {
        return {
          connection,
          readModels: await openMongoReadModels(connection, { onFailure: (error) => log.warn({ err: error }, 'MongoDB failed; it is tried again') }),
        };
      } catch (error) {
        await connection.close();
        throw error;
      }
    });
    return {
      store,
      readModels,
      leases: createMongoLeases(connection),
      label: 'EventStoreDB and MongoDB',
      close: async () => {
        await readModels.close();
        await connection.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Everything starts at once after an outage: a server that is not quite there yet is waited for. */
async function patiently<T>(log: Logger, open: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isAway = error instanceof ReadModelError && error.code === 'READ_MODELS_UNAVAILABLE';
      if (!isAway || performance.now() > until) throw error;
      log.warn({ err: error }, 'a store is not there yet; it is tried again');
      await wait(RETRY_MS);
    }
  }
}
