/**
 * Catch-up subscriptions: a call that is restarted after the last position whenever it breaks. While behind, the server
 * scans many events before it reports its position; at the end of the log it does so for each hidden event, because
 * someone may be waiting for it.
 */
import {
  type AllStreamSubscription,
  eventTypeFilter,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { passes } from '../eventFilter.ts';
import type { Position, RecordedEvent, SubscribeOptions, SubscriptionMessage } from '../eventStore.ts';
import { createNotifier, firstOf, iterable, type Timer, type Trigger } from '../notifier.ts';
import { fromPosition, toPosition } from '../positions.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken, fateOf, sentenceOf, toStoreError } from './eventStoreDbErrors.ts';
import { type ClientEvent, positionOf, type Reader, serverFilter, toRecordedEvent } from './eventStoreDbRead.ts';
import { pause, type RetryPolicy } from './eventStoreDbRetry.ts';

export type StoreLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

export type SubscriptionSource = {
  readonly connection: EventStoreDbConnection;
  readonly reader: Reader;
  readonly retryPolicy: RetryPolicy;
  readonly timer: Timer;
  readonly log: StoreLog | undefined;
  /** Called with each position passed on. */
  readonly saw: (position: Position) => void;
};

const DEFAULT_BATCH = 500;
const WINDOW_BEHIND = 512;
const WINDOW_LIVE = 1;
/**
 * Older servers, which do not announce caught-up, may leave the last events of a window undelivered: after this delay
 * they are read, ms.
 */
const UNDELIVERED_MS = 1_000;

export function subscribe(source: SubscriptionSource, options: SubscribeOptions): AsyncIterable<SubscriptionMessage> {
  const { after, batchSize = DEFAULT_BATCH } = options;
  const start = after === 'end' ? 'end' : after === undefined ? 0n : fromPosition(after);
  const follower = { source, filter: options.filter, limit: Math.max(1, batchSize) };
  return iterable(
    (signal) => follow(follower, start, AbortSignal.any([signal, source.retryPolicy.closing])),
    options.signal,
  );
}

type Follower = {
  readonly source: SubscriptionSource;
  readonly filter: SubscribeOptions['filter'];
  readonly limit: number;
};

/**
 * `delivered`: the consumer has everything up to here. `target`: the end that it is catching up with; null once
 * reached.
 */
type Progress = { delivered: bigint | null; target: bigint | null; behind: boolean; failures: number };

async function* follow(
  follower: Follower,
  start: bigint | 'end',
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  const { reader, retryPolicy, log } = follower.source;
  const progress: Progress = { delivered: start === 'end' ? null : start, target: null, behind: true, failures: 0 };
  while (!signal.aborted) {
    let feed: Feed | null = null;
    try {
      const end = await reader.head();
      progress.delivered ??= end;
      if (progress.behind) progress.target = end;
      const isFar = progress.behind && progress.delivered < end;
      feed = await open(follower, progress.delivered, end, isFar ? WINDOW_BEHIND : WINDOW_LIVE);
      yield* drain(follower, progress, { feed, isFar }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (fateOf(error) !== 'unavailable') throw toStoreError(error, retryPolicy.label);
      // Everything not yet passed on is delivered again, after the last position.
      progress.behind = true;
      log?.warn(
        { store: retryPolicy.label, after: toPosition(progress.delivered ?? 0n), reason: sentenceOf(error) },
        'A subscription was interrupted; it continues after its position',
      );
      await pause(retryPolicy, progress.failures, signal);
      progress.failures += 1;
    } finally {
      feed?.cancel();
    }
  }
}

async function open(
  { source, filter, limit }: Follower,
  after: bigint,
  reached: bigint,
  window: number,
): Promise<Feed> {
  // Servers before 24.6 continue after the first event found at or after that position. If the original one has been
  // scavenged (an event of a deleted stream), that event was never delivered.
  const standing = after === 0n ? null : await source.reader.firstFrom(after);
  const undelivered = standing !== null && positionOf(standing) > after ? standing : null;
  const from = undelivered === null ? after : positionOf(undelivered);
  const subscription = source.connection.subscribeToAll(
    { fromPosition: from === 0n ? START : { commit: from, prepare: from }, filter: callFilter(filter, window) },
    // Live, every event brings a checkpoint.
    { highWaterMark: 2 * (limit + 1) },
  );
  // One more than a batch: a full buffer means that the consumer lags behind by more than that.
  return createFeed(subscription, { after, undelivered, filter, capacity: limit + 1, reached });
}

/** The client reports checkpoints immediately, ahead of events that it still buffers: each is queued after those. */
function callFilter(filter: SubscribeOptions['filter'], window: number) {
  const wanted = serverFilter(filter);
  const checkpointReached = async (subscription: AllStreamSubscription, { commit }: { commit: bigint }) =>
    void subscription.push({ scanned: commit });
  const common = { maxSearchWindow: window, checkpointInterval: 1, checkpointReached };
  if ('regex' in wanted) return eventTypeFilter({ ...common, regex: wanted.regex });
  const prefixes = [...wanted.prefixes];
  return wanted.by === 'type' ? eventTypeFilter({ ...common, prefixes }) : streamNameFilter({ ...common, prefixes });
}

type Reading = { readonly feed: Feed /** The call scans many events at a time. */; readonly isFar: boolean };

/** Passes on the feed's messages; returns when another call should take over at the same position. */
async function* drain(
  follower: Follower,
  progress: Progress,
  { feed, isFar }: Reading,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  const { source, limit } = follower;
  while (!signal.aborted) {
    feed.fill();
    if (!progress.behind && feed.isFull()) {
      progress.behind = true;
      progress.target = await source.reader.head();
    }
    const message = nextMessage(progress, feed, limit);
    if (message !== null) {
      progress.failures = 0;
      source.saw(toPosition(progress.delivered ?? 0n));
      yield message;
      // The wide catch-up window would delay positions that the filter hides.
      if (message.kind === 'caughtUp' && isFar) return;
      continue;
    }
    const failure = feed.failure();
    if (failure !== null) throw failure;
    if (await isQuiet(source, feed, isFar && progress.behind, signal)) await scanAhead(follower, feed);
    // Includes everything else that arrived with it.
    await new Promise(setImmediate);
  }
}

/** Waits for a message; true if none arrived for so long that it should be requested. */
async function isQuiet(
  { timer }: SubscriptionSource,
  feed: Feed,
  isAsking: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  let quiet = false;
  const ask: Trigger = (notify) =>
    timer(UNDELIVERED_MS, () => {
      quiet = true;
      notify();
    });
  await firstOf(isAsking ? [feed.changed.listen, ask] : [feed.changed.listen], signal);
  return quiet;
}

async function scanAhead({ source, filter }: Follower, feed: Feed): Promise<void> {
  const { events, next } = await source.reader.readAll({
    after: toPosition(feed.scanned()),
    limit: 1,
    ...(filter === undefined ? {} : { filter }),
  });
  if (events.length === 0) feed.scan(fromPosition(next));
}

function nextMessage(progress: Progress, feed: Feed, limit: number): SubscriptionMessage | null {
  const delivered = progress.delivered ?? 0n;
  const scanned = feed.scanned();
  const last = feed.queue.at(-1);
  const atEnd = progress.behind && scanned >= (progress.target ?? 0n);
  // During catch-up a batch is filled, unless the next matching event may be far away.
  const isReady =
    !progress.behind ||
    atEnd ||
    feed.queue.length >= limit ||
    (last !== undefined && toPosition(scanned) > last.position) ||
    feed.failure() !== null;
  if (last !== undefined) {
    if (!isReady) return null;
    const events = feed.take(limit);
    progress.delivered = fromPosition(events.at(-1)?.position ?? toPosition(delivered));
    return { kind: 'events', events };
  }
  if (atEnd) {
    progress.behind = false;
    progress.target = null;
    progress.delivered = scanned > delivered ? scanned : delivered;
    return { kind: 'caughtUp', position: toPosition(progress.delivered) };
  }
  if (scanned <= delivered) return null;
  progress.delivered = scanned;
  return { kind: 'checkpoint', position: toPosition(scanned) };
}

type Feed = ReturnType<typeof createFeed>;

/**
 * `after`: what the consumer already knows. `undelivered` precedes what the call delivers. `reached`: a position that
 * the log had before the call began.
 */
type FeedOptions = Pick<Follower, 'filter'> & {
  readonly after: bigint;
  readonly undelivered: ClientEvent | null;
  readonly capacity: number;
  readonly reached: bigint;
};

/** One subscription call as a small buffer: messages not consumed yet, and how far the log has been scanned. */
function createFeed(
  subscription: AllStreamSubscription,
  { after, undelivered, filter, capacity, reached }: FeedOptions,
) {
  const queue: RecordedEvent[] = [];
  const changed = createNotifier();
  let scanned = after;
  let failure: Error | null = null;

  function scan(position: bigint): void {
    if (position > scanned) scanned = position;
  }

  function takeRecord(record: ClientEvent): void {
    const position = positionOf(record);
    if (position <= scanned) return;
    scan(position);
    const event = toRecordedEvent(record);
    if (event !== null && passes(event, filter)) queue.push(event);
  }

  function fail(error: Error): void {
    failure ??= error;
    changed.notify();
  }

  if (undelivered !== null) takeRecord(undelivered);
  // When it reported this, everything up to the log's end at the start of the call had been delivered.
  subscription.on('caughtUp', () => void subscription.push({ scanned: reached }));
  subscription.on('readable', changed.notify);
  subscription.on('error', fail);
  for (const event of ['end', 'close'] as const)
    subscription.on(event, () => fail(new CallBroken('the subscription ended')));
  return {
    queue: queue as readonly RecordedEvent[],
    /** Moves arrived messages into the buffer, up to its capacity; the rest stays with the server. */
    fill() {
      while (queue.length < capacity) {
        const item = subscription.read() as ResolvedEvent | { readonly scanned: bigint } | null;
        if (item === null) return;
        if ('scanned' in item) scan(item.scanned);
        else if (item.event) takeRecord(item.event);
      }
    },
    /** Everything up to here has been scanned: queued, consumed, or hidden by the filter. */
    scanned: () => scanned,
    scan,
    /** The consumer lags behind. */
    isFull: () => queue.length >= capacity,
    /** Why there will be no more messages, once that is so. */
    failure: () => failure,
    take: (count: number) => queue.splice(0, count) as readonly RecordedEvent[],
    /** Triggers when a message arrived, or no more will. */
    changed,
    cancel: () => void subscription.unsubscribe().catch(() => undefined),
  };
}
