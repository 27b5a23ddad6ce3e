/** One MongoDB connection pool per process, with every wait bounded and durable writes. */
import { type Db, MongoClient, type MongoClientOptions, MongoError, MongoServerError, ReadConcern } from 'mongodb';
import { ReadModelError } from '../readModels.ts';
import { endWaitsOnClosedSockets } from './mongoClosedSockets.ts';
import { withoutCredentials } from './mongoErrors.ts';

export type MongoConnection = {
  readonly client: MongoClient;
  /** The database named in the URL, or `seo`. */
  readonly db: Db;
  /** Whether change streams are available (also true of a sharded cluster). */
  readonly isReplicaSet: boolean;
  close(): Promise<void>;
};

export type MongoLog = Readonly<Record<'info' | 'warn', (details: object, message: string) => void>>;

const DEFAULT_DATABASE = 'seo';
/** The wire version of MongoDB 5.0. */
const OLDEST_WIRE_VERSION = 13;

/** Each can be overridden in the URL. */
const OPTIONS = {
  appName: 'seo-audit-workbench',
  maxPoolSize: 20,
  maxIdleTimeMS: 300_000,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 10_000,
  heartbeatFrequencyMS: 5_000,
} satisfies MongoClientOptions;

/** For leases: few commands, each of which is useless when it comes late. */
const LEASES_OPTIONS = {
  maxPoolSize: 2,
  minPoolSize: 1,
  maxIdleTimeMS: 0,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 2_000,
} satisfies MongoClientOptions;

type ConnectOptions = {
  readonly url: string;
  readonly log?: MongoLog;
  /** A pool of its own, ahead of any queue of other commands. */
  readonly forLeases?: boolean;
};

/**
 * @throws ReadModelError READ_MODELS_UNAVAILABLE, READ_MODELS_UNREADABLE (refused, or too old), naming host and port
 *   but no credentials
 */
export async function connectMongo(options: ConnectOptions): Promise<MongoConnection> {
  const { hosts, database } = parseAddress(options.url);
  endWaitsOnClosedSockets();
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(options.url, {
      ...optionsMissingIn(options.url),
      ...(options.forLeases ? LEASES_OPTIONS : {}),
      // A failover may undo what a majority has not seen: a checkpoint could then outlive the documents before it.
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
      readPreference: 'primary',
      ignoreUndefined: true,
    });
    if (options.log) logOutages(client, options.log);
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    if (!(hello.maxWireVersion >= OLDEST_WIRE_VERSION))
      throw new ReadModelError('READ_MODELS_UNREADABLE', tooOld(hosts));
    const isReplicaSet = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
    return {
      client,
      // Without it a reader could see what a failover is about to undo. A standalone server has nothing to undo.
      db: isReplicaSet ? client.db(database, { readConcern: new ReadConcern('majority') }) : client.db(database),
      isReplicaSet,
      close: () => client?.close() ?? Promise.resolve(),
    };
  } catch (error) {
    await client?.close().catch(() => undefined);
    throw asRefusal(hosts, error);
  }
}

function parseAddress(url: string): { readonly hosts: string; readonly database: string } {
  const match = /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^@/?]+)(?:\/([^?]*))?(?:\?|$)/.exec(url);
  if (!match?.[1])
    throw new ReadModelError(
      'READ_MODELS_UNREADABLE',
      'The address of MongoDB has the form mongodb://host:port/database.',
    );
  return { hosts: match[1], database: decodeURIComponent(match[2] || DEFAULT_DATABASE) };
}

function optionsMissingIn(url: string): Partial<typeof OPTIONS> {
  const given = new Set([...new URLSearchParams(url.split('?')[1] ?? '').keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(OPTIONS).filter(([name]) => !given.has(name.toLowerCase())));
}

function logOutages(client: MongoClient, log: MongoLog): void {
  client.on('serverDescriptionChanged', ({ address, previousDescription: before, newDescription: after }) => {
    if (after.type === 'Unknown' && before.type !== 'Unknown')
      log.warn({ address, error: after.error?.name }, 'MongoDB does not answer');
    if (after.type !== 'Unknown' && before.type === 'Unknown')
      log.info({ address, type: after.type }, 'MongoDB answers');
  });
}

function asRefusal(hosts: string, error: unknown): unknown {
  if (error instanceof ReadModelError || !(error instanceof MongoError)) return error;
  // The driver itself rejects even older servers.
  if (/wire version/i.test(error.message)) return new ReadModelError('READ_MODELS_UNREADABLE', tooOld(hosts));
  const why = withoutCredentials(error.message);
  if (error instanceof MongoServerError || error.name === 'MongoParseError') {
    return new ReadModelError('READ_MODELS_UNREADABLE', `MongoDB at ${hosts} refuses the connection: ${why}`);
  }
  return new ReadModelError('READ_MODELS_UNAVAILABLE', `MongoDB at ${hosts} cannot be reached: ${why}`);
}

function tooOld(hosts: string): string {
  return `MongoDB at ${hosts} is too old: 5.0 or newer is needed.`;
}
