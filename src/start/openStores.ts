/** Opens the configured stores. The server drivers are loaded only if used. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { streamsClosedWith } from '../commands/closedStreams.ts';
import { billForm } from '../commands/snapshots/billForm.ts';
import { keepSnapshots } from '../commands/snapshots/foldSnapshots.ts';
import type { Comparison } from '../domain/billing/books.ts';
import { DomainError } from '../domain/decider.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { answerRequests, backupHandler } from '../eventStore/folderRequests.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../eventStore/storedEvents.ts';
import type { Claims, Marks } from '../readModels/claims.ts';
import { IDENTITY_MARK } from '../readModels/identity.ts';
import type { Leases } from '../readModels/leases.ts';
import type { Presence } from '../readModels/presence.ts';
import { ReadModelError, type ReadModels } from '../readModels/readModels.ts';
import type { Snapshots } from '../readModels/snapshots.ts';
import { openSqliteReadModels } from '../readModels/sqlite/sqlite.ts';
import { sqliteReadModelsIdentity } from '../readModels/sqlite/sqliteIdentity.ts';
import { operateWork, operatorContext, WorkRequest } from '../work/operate.ts';
import { READ_MODELS } from '../work/rules.ts';
import type { Config } from './config.ts';
import { identityFileOf, type Place, placesOf, readIdentityFile, writeIdentityFile } from './identity/places.ts';
import {
  type Cleared,
  clearIdentity,
  EMPTY_LOG,
  givenKeys,
  hasAccount,
  type KeySettings,
  readLogged,
  type Settling,
  writeIdentity,
} from './identity/settleIdentity.ts';
import { operateSystem, SystemRequest } from './monitor/operateSystem.ts';
import { AdminRequest, operateAdmins } from './operateAdmins.ts';
import { BillRequest, operateBills } from './operateBills.ts';
import { ListRequest, operateLists } from './operateLists.ts';
import { keyFilesIn } from './secrets/keyFiles.ts';

/** For a server that does not respond at startup, ms. */
const TIMEOUT_MS = 10_000;
const RETRY_MS = 500;

export type Stores = {
  readonly store: EventStore;
  /** The same log as stored, without upcasts: for proofs only. */
  readonly storedLog: EventStore;
  readonly readModels: ReadModels;
  /** Processes use them to elect the projector; null: there is only this process. */
  readonly leases: Leases | null;
  /** Who works on what, and how far background work has come. */
  readonly claims: Claims;
  readonly marks: Marks;
  /** Active users and running processes. */
  readonly presence: Presence;
  /** States folded from the log, so that it need not be folded again. */
  readonly snapshots: Snapshots;
  /** Whether the log can be written and read. @throws StoreUnavailable if not */
  checkLog(): Promise<void>;
  /**
   * Lets other programs on the machine request the result of `check`: the process that owns a data folder may also host
   * the provider.
   */
  answerBooks(check: () => Promise<Comparison>): void;
  /** Which installation all of them are of; null: none yet. */
  readonly installationId: string | null;
  /** The stores in use, for display; without credentials. */
  readonly label: string;
  close(): Promise<void>;
};

/** The admin's address is needed only to change admin rights. */
type StoresConfig = Pick<Config, 'servers' | 'DATA_DIR'> &
  KeySettings & { readonly ADMIN_EMAIL?: string | undefined; readonly BEGIN_ANEW?: string | undefined };

export type OpenOptions = {
  /**
   * By a server: the installation is given its identity if it has none, and may be begun again. Other programs only
   * want all to be of one.
   */
  readonly isStart?: boolean;
};

/**
 * @throws StoreUnavailable, ReadModelError when a server is unavailable or too old, or another process holds the files;
 *   InstallationMismatch when the stores are not of one installation
 */
export async function openStores(
  config: StoresConfig,
  log: Logger,
  { isStart = false }: OpenOptions = {},
): Promise<Stores> {
  // Waiting for an unavailable server keeps no handle open: without this the process would exit before reporting why.
  const waiting = setInterval(() => undefined, 60_000);
  try {
    return withSnapshots(
      await (config.servers
        ? openServers(config, config.servers, { log, isStart })
        : openFiles(config, { log, isStart })),
      log,
    );
  } finally {
    clearInterval(waiting);
  }
}

/** Commands on the store continue from stored snapshots. */
function withSnapshots(stores: Stores, log: Logger): Stores {
  const { settled } = keepSnapshots({
    store: stores.store,
    snapshots: stores.snapshots,
    forms: [billForm],
    onFailure: (error) =>
      log.warn({ err: error }, 'a snapshot could not be read or stored; the stream is folded instead'),
  });
  return {
    ...stores,
    close: async () => {
      await settled();
      await stores.close();
    },
  };
}

const now = (): string => new Date().toISOString();

type OpenLog = { readonly raw: SqliteEventStore; readonly store: SqliteEventStore };

/** The log, once nothing in the folder contradicts it. */
async function openLog(
  config: StoresConfig,
  readModels: Place,
  { log, isStart }: Opening,
): Promise<OpenLog & Pick<Stores, 'installationId'>> {
  const file = join(config.DATA_DIR, 'events.db');
  const open = (): OpenLog => {
    const raw = openSqliteEventStore({ file });
    return { raw, store: withStoredEvents(raw, { closes: streamsClosedWith }) };
  };
  // Not opened if there is nothing in it: what lies beside it may be all that is left, and a refused start leaves it as
  // it is.
  let opened = isMissing(file) ? null : open();
  const keyFiles = keyFilesIn(config.DATA_DIR);
  try {
    const cleared = await clearIdentity({
      ...settlingOf(config, readModels, isStart),
      logName: file,
      logged: async () => (opened ? readLogged(opened.store) : EMPTY_LOG),
      hasAccount: async (account) => opened !== null && hasAccount(opened.store, account),
    });
    opened ??= open();
    if (!isStart) return { ...opened, installationId: cleared.logged.id };
    sayCleared(log, config, cleared, keyFiles);
    const installationId = await writeIdentity(opened.store, cleared, givenKeys(config), now);
    nameFolder(config.DATA_DIR, installationId);
    return { ...opened, installationId };
  } catch (error) {
    await opened?.store.close();
    throw error;
  }
}

function settlingOf(
  config: StoresConfig,
  readModels: Place,
  isStart: boolean,
): Pick<Settling, 'places' | 'keys' | 'beginAnew' | 'isStart'> {
  return {
    places: placesOf(config.DATA_DIR, readModels),
    keys: givenKeys(config),
    beginAnew: isStart ? config.BEGIN_ANEW : undefined,
    isStart,
  };
}

/**
 * A setting that gives up data does so in the open, and does not stay without a word. `keyFiles`: those found before
 * the log was read.
 */
function sayCleared(
  log: Logger,
  { DATA_DIR, BEGIN_ANEW }: StoresConfig,
  { logged, gaveUp, outdated }: Cleared,
  keyFiles: readonly string[],
): void {
  for (const name of outdated)
    log.warn(
      `${name} was built from another copy of the event log: it was moved aside, and the read models are being built again`,
    );
  if (gaveUp !== null)
    log.warn(
      { installationId: gaveUp },
      'begun again: the installation named by BEGIN_ANEW was given up, its read models moved aside',
    );
  else if (BEGIN_ANEW !== undefined)
    log.info('BEGIN_ANEW changes nothing at this start: nothing here belongs to that installation. It can be removed');
  // They may have been put there to begin with, so this is no reason to refuse.
  if (logged.id === null && gaveUp === null && keyFiles.length > 0)
    log.warn(
      `key files of an earlier installation were found beside an empty event log: ${keyFiles.join(', ')} in ${DATA_DIR}. If its log is lost, stop now and restore it (docs/operations.md)`,
    );
}

const isMissing = (file: string): boolean => !existsSync(file) || statSync(file).size === 0;

/** @throws the file system's error */
function nameFolder(dataDir: string, installationId: string): void {
  const file = identityFileOf(dataDir);
  if (readIdentityFile(file) !== installationId) writeIdentityFile(file, installationId);
}

type Opening = { readonly log: Logger; readonly isStart: boolean };

async function openFiles(config: StoresConfig, { log, isStart }: Opening): Promise<Stores> {
  const { DATA_DIR: dataDir, ADMIN_EMAIL: adminEmail } = config;
  const readModelsFile = join(dataDir, 'readModels.db');
  const place = { name: readModelsFile, ...sqliteReadModelsIdentity(readModelsFile) };
  const { raw, store, installationId } = await openLog(config, place, { log, isStart });
  const readModels = openSqliteReadModels({ file: readModelsFile, reads: READ_MODELS, log });
  const { claims } = readModels;
  if (isStart && installationId !== null) await readModels.marks.write(IDENTITY_MARK, installationId);
  let checkBooks: (() => Promise<Comparison>) | null = null;
  const requests = await answerRequests(dataDir, {
    ...backupHandler((target) => store.backup(target)),
    work: (request) =>
      operateWork({ readModels, claims, context: () => operatorContext(store) }, WorkRequest.parse(request)),
    list: (request) => operateLists(readModels, ListRequest.parse(request)),
    system: (request) => operateSystem({ store, readModels }, dataDir, SystemRequest.parse(request)),
    bill: (request) => operateBills(store, BillRequest.parse(request)),
    admin: (request) => operateAdmins(store, adminEmail ?? null, AdminRequest.parse(request)),
    books: async () => {
      if (!checkBooks)
        throw new DomainError('NOTHING_SOLD', 'Nothing is sold here, so there are no books to compare with.');
      return checkBooks();
    },
  }).catch((error: unknown) => {
    log.warn(
      { err: error },
      'backups can only be made, work and parked events only be asked for, credits and rights only be granted, and books only be compared, while the server is stopped',
    );
    return null;
  });
  return {
    store,
    storedLog: raw,
    readModels,
    leases: null,
    claims,
    marks: readModels.marks,
    presence: readModels.presence,
    snapshots: readModels.snapshots,
    checkLog: () => store.check(),
    answerBooks: (check) => {
      checkBooks = check;
    },
    installationId,
    label: `SQLite files in ${dataDir}`,
    close: async () => {
      await requests?.close();
      await readModels.close();
      await store.close();
    },
  };
}

async function openServers(
  config: StoresConfig,
  { eventStoreUrl, mongoUrl }: NonNullable<Config['servers']>,
  opening: Opening,
): Promise<Stores> {
  const { log } = opening;
  const { openEventStoreDb } = await import('../eventStore/eventStoreDb/eventStoreDb.ts');
  const raw = await openEventStoreDb({ url: eventStoreUrl, log, removesOldGroups: true });
  const store = withStoredEvents(raw, { closes: streamsClosedWith });
  try {
    const { installationId, ...mongo } = await openMongo(mongoUrl, opening, (readModels) =>
      settleServers(config, store, readModels, opening),
    );
    return {
      ...mongo,
      store,
      storedLog: raw,
      installationId,
      // Served by the leader, which takes the writes.
      checkLog: async () => void (await store.head()),
      // Other programs can open all of it themselves.
      answerBooks: () => undefined,
      label: 'EventStoreDB and MongoDB',
      close: async () => {
        await mongo.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * The folder is the machine's own here: without one, or without a place to write, the log and the read models agree by
 * themselves.
 */
async function settleServers(
  config: StoresConfig,
  store: EventStore,
  readModels: Place,
  { log, isStart }: Opening,
): Promise<Stores['installationId']> {
  const keyFiles = keyFilesIn(config.DATA_DIR);
  const cleared = await clearIdentity({
    ...settlingOf(config, readModels, isStart),
    logName: 'EventStoreDB (EVENTSTORE_URL)',
    logged: () => readLogged(store),
    hasAccount: (account) => hasAccount(store, account),
  });
  if (!isStart) return cleared.logged.id;
  sayCleared(log, config, cleared, keyFiles);
  const installationId = await writeIdentity(store, cleared, givenKeys(config), now);
  try {
    nameFolder(config.DATA_DIR, installationId);
  } catch (error) {
    log.info({ err: error }, 'the id of the installation could not be written to DATA_DIR');
  }
  return installationId;
}

/** `settle`: before anything is read from them or written to them. */
async function openMongo(
  url: string,
  { log, isStart }: Opening,
  settle: (readModels: Place) => Promise<Stores['installationId']>,
): Promise<Omit<Stores, 'store' | 'storedLog' | 'checkLog' | 'answerBooks' | 'label'>> {
  const [
    { mongoReadModelsIdentity },
    { connectMongo },
    { openMongoReadModels },
    { createMongoLeases },
    { openMongoClaims },
    { createMongoMarks },
    { openMongoPresence },
    { createMongoSnapshots },
  ] = await Promise.all([
    import('../readModels/mongo/mongoIdentity.ts'),
    import('../readModels/mongo/mongoConnection.ts'),
    import('../readModels/mongo/mongoDb.ts'),
    import('../readModels/mongo/coordination/mongoLeases.ts'),
    import('../readModels/mongo/coordination/mongoClaims.ts'),
    import('../readModels/mongo/coordination/mongoMarks.ts'),
    import('../readModels/mongo/coordination/mongoPresence.ts'),
    import('../readModels/mongo/mongoSnapshots.ts'),
  ]);
  return withRetries(log, async () => {
    const connection = await connectMongo({ url, log });
    // A renewal must not wait behind the writes of its own leader.
    const leasesConnection = await connectMongo({ url, forLeases: true }).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    const closeBoth = async (): Promise<void> =>
      void (await Promise.all([connection.close(), leasesConnection.close()]));
    try {
      const marks = createMongoMarks(connection);
      const identity = mongoReadModelsIdentity(connection);
      const others = await identity.others();
      if (isStart && others.length > 0)
        log.info({ collections: others }, 'the database in MONGODB_URL has collections of another program: left alone');
      const installationId = await settle({ name: 'the database in MONGODB_URL', ...identity });
      if (isStart && installationId !== null) await marks.write(IDENTITY_MARK, installationId);
      const claims = await openMongoClaims(connection);
      const presence = await openMongoPresence(connection);
      const readModels = await openMongoReadModels(connection, {
        reads: READ_MODELS,
        onFailure: (error) => log.warn({ err: error }, 'MongoDB failed; retrying'),
      });
      return {
        readModels,
        leases: createMongoLeases(leasesConnection),
        claims,
        marks,
        installationId,
        presence,
        snapshots: createMongoSnapshots(connection),
        close: async () => {
          await readModels.close();
          await closeBoth();
        },
      };
    } catch (error) {
      await closeBoth();
      throw error;
    }
  });
}

/** After an outage everything starts at once: waits for a server that is not ready yet. */
async function withRetries<T>(log: Logger, open: () => Promise<T>): Promise<T> {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isUnavailable = error instanceof ReadModelError && error.code === 'READ_MODELS_UNAVAILABLE';
      if (!isUnavailable || performance.now() > until) throw error;
      log.warn({ err: error }, 'a store is not available yet; retrying');
      await wait(RETRY_MS);
    }
  }
}
