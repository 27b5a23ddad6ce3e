/**
 * A server with EventStoreDB's protocol and documented semantics, and faults on demand. For tests: one node, no
 * projections.
 */
import { createServer, type Socket } from 'node:net';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type ConnectionInjector, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Context } from './eventStoreDb/context.ts';
import { Faults } from './eventStoreDb/faults.ts';
import { gossipOf, serverFeatures, VERSION } from './eventStoreDb/features.ts';
import { type Groups, groupCalls } from './eventStoreDb/groups.ts';
import { openJournal } from './eventStoreDb/journal.ts';
import { EventLog } from './eventStoreDb/log.ts';
import { readCall } from './eventStoreDb/reads.ts';
import { jsonEvent, METADATA_TYPE, metaStreamOf } from './eventStoreDb/records.ts';
import { Writer } from './eventStoreDb/writer.ts';
import { writeCalls } from './eventStoreDb/writes.ts';

const HOST = '127.0.0.1';
/**
 * How many calls may be open on one connection, subscriptions among them: the default of the real server's web server.
 */
const CALLS_PER_CONNECTION = 100;

export type EventStoreDbOptions = {
  /** Default: any free port. */
  readonly port?: number;
  /** The file of the log, so that a killed process restarts with it. Default: only in memory. */
  readonly file?: string;
  /** Default 23.10.0. */
  readonly version?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Required for every call. Clients send them only over TLS. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** The largest append, all of its events together. Default 1 MiB. */
  readonly maxAppendBytes?: number;
  /** Position of the first event. Default 1,048. */
  readonly firstPosition?: bigint;
  /** First revision of streams that do not start at 0. */
  readonly firstRevisions?: Readonly<Record<string, bigint>>;
  /** Milliseconds since 1970: `created` and `$maxAge`. */
  readonly now?: () => number;
  /** How many event ids are remembered for appends without an exact revision. Default 10,000. */
  readonly recentIds?: number;
};

export type EventStoreDbServer = {
  /** For the client. With TLS, add `&tlsCAFile=` yourself. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /**
   * The number of events in the log and of connections, the bytes sent over them, and the characters of the patterns
   * that were compiled for calls.
   */
  readonly stats: {
    readonly events: number;
    readonly connections: number;
    readonly bytesSent: number;
    readonly patternCharacters: number;
  };
  /** Breaks all connections and stops listening. Written events stay. */
  stop(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
  /** Removes from $all the events that can no longer be read in their streams; returns how many. */
  scavenge(): number;
  /** Persistent subscriptions to $all by name, with the number of connected consumers: left behind by the test. */
  readonly groups: Groups;
  close(): Promise<void>;
};

/** Starts the server. Between `stop` and `start` it remembers only what a real one has on its disk. */
export async function startEventStoreDbServer(options: EventStoreDbOptions = {}): Promise<EventStoreDbServer> {
  const { file, firstPosition, firstRevisions, now } = options;
  const journal = file ? openJournal(file) : undefined;
  const log = new EventLog({
    ...(firstPosition !== undefined && { firstPosition }),
    ...(firstRevisions && { firstRevisions }),
    ...(now && { now }),
    ...(journal && { journal }),
  });
  if (log.size === 0) writeFirstEvents(log);
  const sockets = new Set<Socket>();
  const faults = new Faults(sockets, options.version ?? VERSION);
  const groups: Groups = new Map();
  let patternCharacters = 0;
  const compiled = (characters: number): void => {
    patternCharacters += characters;
  };
  let port = options.port ?? 0;
  let running: Running | null = await listen(options, { log, faults, groups, compiled }, sockets, port);
  port = running.port;
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = null;
    await stopped?.stop();
  };
  return {
    url: urlOf(options, port),
    port,
    faults,
    groups,
    get stats() {
      const bytesSent = [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
      return { events: log.size, connections: sockets.size, bytesSent, patternCharacters };
    },
    stop,
    start: async () => {
      running ??= await listen(options, { log, faults, groups, compiled }, sockets, port);
    },
    scavenge: () => log.scavenge(),
    close: async () => {
      await stop();
      await journal?.flushed();
      journal?.close();
    },
  };
}

function urlOf({ tls, credentials }: EventStoreDbOptions, port: number): string {
  const user = credentials ? `${credentials.username}:${encodeURIComponent(credentials.password)}@` : '';
  return `esdb://${user}${tls ? 'localhost' : HOST}:${port}?tls=${Boolean(tls)}`;
}

/** A new server already has system events. */
function writeFirstEvents(log: EventLog): void {
  log.write(metaStreamOf('$stats-127.0.0.1'), [jsonEvent(METADATA_TYPE, { $maxAge: 86_400 })]);
  log.write('$user-admin', [
    jsonEvent('$UserCreated', {
      loginName: 'admin',
      fullName: 'EventStore Administrator',
      disabled: false,
      groups: ['$admins'],
    }),
  ]);
  log.write('$users', [jsonEvent('$User', 'admin')]);
}

type Running = { readonly port: number; stop(): Promise<void> };

async function listen(
  options: EventStoreDbOptions,
  { log, faults, groups, compiled }: Pick<Context, 'log' | 'faults' | 'groups' | 'compiled'>,
  sockets: Set<Socket>,
  port: number,
): Promise<Running> {
  const byAddress = new Map<string, Socket>();
  const { maxAppendBytes, recentIds } = options;
  const writer = new Writer(log, {
    ...(maxAppendBytes !== undefined && { maxAppendBytes }),
    ...(recentIds !== undefined && { recentIds }),
  });
  const over = new AbortController();
  const context: Context = {
    log,
    faults,
    writer,
    groups,
    compiled,
    over: over.signal,
    sockets: byAddress,
    credentials: options.credentials,
  };
  let listeningOn = port;
  const grpc = new Server({
    'grpc.max_concurrent_streams': CALLS_PER_CONNECTION,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.max_receive_message_length': 17 * 1024 * 1024,
  });
  grpc.addService(streams.StreamsService, { ...writeCalls(context), ...readCall(context) });
  grpc.addService(persistent.PersistentSubscriptionsService, groupCalls(context));
  grpc.addService(features.ServerFeaturesService, serverFeatures(context));
  grpc.addService(
    gossip.GossipService,
    gossipOf(context, HOST, () => listeningOn),
  );
  const injector = grpc.createConnectionInjector(credentialsOf(options));
  const listener = createServer((socket) => accept(socket, injector, sockets, byAddress));
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, HOST, resolve);
  });
  const address = listener.address();
  if (typeof address === 'object' && address) listeningOn = address.port;
  return {
    port: listeningOn,
    stop: async () => {
      over.abort();
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      injector.destroy();
      grpc.forceShutdown();
      await closed;
    },
  };
}

function credentialsOf({ tls }: EventStoreDbOptions): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }]);
}

function accept(
  socket: Socket,
  injector: ConnectionInjector,
  sockets: Set<Socket>,
  byAddress: Map<string, Socket>,
): void {
  const address = `${socket.remoteAddress}:${socket.remotePort}`;
  sockets.add(socket);
  byAddress.set(address, socket);
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.once('close', () => {
    sockets.delete(socket);
    byAddress.delete(address);
  });
  injector.injectConnection(socket);
}
