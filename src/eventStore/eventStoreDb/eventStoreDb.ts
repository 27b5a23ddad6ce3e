/** The event store on an EventStoreDB server (22.10 or later), for many processes. */
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type EventStore, type Position, StoreClosed } from '../eventStore.ts';
import { checkStream, serialiseEvents } from '../newEvents.ts';
import type { Timer } from '../notifier.ts';
import { toPosition } from '../positions.ts';
import { createAppend, createKnown } from './eventStoreDbAppend.ts';
import { createAppends } from './eventStoreDbAppends.ts';
import { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { createReader } from './eventStoreDbRead.ts';
import { createRemovals, createStreamLocks } from './eventStoreDbRemove.ts';
import type { RetryPolicy } from './eventStoreDbRetry.ts';
import { assertServer, removeOldGroups } from './eventStoreDbServer.ts';
import { type StoreLog, subscribe } from './eventStoreDbSubscribe.ts';
import { parseEventStoreDbUrl } from './eventStoreDbUrl.ts';

export type EventStoreDbOptions = {
  /** `esdb://user:password@host:2113?tls=true`, with the client's options. Its credentials are never shown. */
  readonly url: string;
  /** How long to wait for an unavailable server. Default 10,000 ms. */
  readonly connectTimeoutMs?: number;
  /** Compatible with pino. */
  readonly log?: StoreLog;
  /** How long a call is retried while the server is unavailable, ms. Default 3,000. */
  readonly retryForMs?: number;
  /**
   * Whether consumer groups left on the server by an earlier version are deleted in the background. Default: they are
   * left alone.
   */
  readonly removesOldGroups?: boolean;
  /** From 0 to below 1, for the jitter of retries. */
  readonly random?: () => number;
};

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_FOR_MS = 3_000;
/** How long closing waits for writes in progress, ms. */
const DRAIN_MS = 10_000;

/** Keeps the process alive, because a caller waits for what follows. */
const heldTimer: Timer = (ms, notify) => {
  const timer = globalThis.setTimeout(notify, ms);
  return () => clearTimeout(timer);
};

/**
 * @throws StoreUnavailable when the server does not respond; EventStoreError INVALID_STORE_URL, STORE_ACCESS_DENIED,
 *   STORE_TOO_OLD
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const connection = new EventStoreDbConnection(parseEventStoreDbUrl(options.url));
  const closing = new AbortController();
  // Every waiting call adds a listener.
  setMaxListeners(0, closing.signal);
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, retryForMs = RETRY_FOR_MS, random = Math.random } = options;
  const retryPolicy: RetryPolicy = {
    label: connection.label,
    timer: heldTimer,
    random,
    retryForMs,
    elapsed: () => performance.now(),
    closing: closing.signal,
  };
  try {
    const first = { ...retryPolicy, retryForMs: connectTimeoutMs };
    await assertServer(connection, first, connectTimeoutMs);
    const newest = await createReader(connection, first).head();
    if (options.removesOldGroups) void removeOldGroups(connection, options.log);
    return storeOn({ connection, retryPolicy, closing, newest }, options);
  } catch (error) {
    closing.abort();
    await connection.end();
    throw error;
  }
}

type Opened = {
  readonly connection: EventStoreDbConnection;
  readonly retryPolicy: RetryPolicy;
  readonly closing: AbortController;
  readonly newest: bigint;
};

function storeOn({ connection, retryPolicy, closing, newest }: Opened, { log }: EventStoreDbOptions): EventStore {
  const known = createKnown();
  const reader = createReader(connection, retryPolicy);
  const seen = { position: newest };
  const send = createAppends(connection, retryPolicy);
  const append = createAppend({ send, reader, known, retryPolicy, seen });
  const removals = createRemovals(connection, send, reader, retryPolicy);
  const locks = createStreamLocks();
  let closed: Promise<void> | null = null;
  const assertOpen = () => {
    if (closed !== null) throw new StoreClosed();
  };

  const saw = (position: Position | undefined) => {
    if (position !== undefined && BigInt(position) > seen.position) seen.position = BigInt(position);
  };

  async function end(): Promise<void> {
    closing.abort();
    const late = new AbortController();
    await Promise.race([locks.drained(), setTimeout(DRAIN_MS, null, { signal: late.signal })]);
    late.abort();
    await connection.end();
  }

  return {
    async append(stream, events, { expected }) {
      assertOpen();
      checkStream(stream);
      const serialised = serialiseEvents(events);
      return locks.append(stream, () => append(stream, serialised, expected));
    },
    async read(stream, how) {
      assertOpen();
      checkStream(stream);
      const read = await reader.read(stream, how);
      if (read.status === 'found') saw(read.events.at(-1)?.position);
      if (read.status === 'found') known.note(stream, read.events);
      else known.gone(stream);
      return read;
    },
    async readAll(how) {
      assertOpen();
      const page = await reader.readAll(how);
      saw(page.events.at(-1)?.position);
      return page;
    },
    async alteredStreams() {
      assertOpen();
      return reader.alteredStreams();
    },
    async head() {
      assertOpen();
      const head = toPosition(await reader.head());
      saw(head);
      return head;
    },
    subscribe(how = {}) {
      assertOpen();
      return subscribe({ connection, reader, retryPolicy, timer: heldTimer, log, saw }, how);
    },
    async truncate(stream, before) {
      assertOpen();
      checkStream(stream);
      await locks.remove(stream, () => removals.truncate(stream, before));
    },
    async delete(stream, how = {}) {
      assertOpen();
      checkStream(stream);
      await locks.remove(stream, async () => {
        await removals.remove(stream, how);
        known.gone(stream);
      });
    },
    close() {
      closed ??= end();
      return closed;
    },
  };
}
