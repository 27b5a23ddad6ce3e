/**
 * Catch-up subscriptions: a call that is begun anew after the last position whenever it breaks. Behind, the server looks through many events
 * before it says where it is; at the end of the log it says so for each event that the filter hides, because somebody may wait for it.
 */
import { type AllStreamSubscription, eventTypeFilter, type ResolvedEvent, START, streamNameFilter } from '@eventstore/db-client';
import type { Position, RecordedEvent, SubscribeOptions, SubscriptionMessage } from '../eventStore.ts';
import { createNotifier, firstOf, iterable, type Timer, type Trigger } from '../notifier.ts';
import { fromPosition, toPosition } from '../positions.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken, fateOf, toStoreError } from './eventStoreDbErrors.ts';
import { type ClientEvent, passes, positionOf, type Reader, serverFilter, toRecordedEvent } from './eventStoreDbRead.ts';
import { pause, type RetryPolicy } from './eventStoreDbRetry.ts';

export type StoreLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

export type SubscriptionSource = {
  readonly connection: EventStoreDbConnection;
  readonly reader: Reader;
  readonly retryPolicy: RetryPolicy;
  readonly timer: Timer;
  readonly log: StoreLog | undefined;
  /** Called with each position that is handed out. */
  readonly saw: (position: Position) => void;
};

const DEFAULT_BATCH = 500;
const WINDOW_BEHIND = 512;
const WINDOW_LIVE = 1;
/** A server from before it said that a subscription has caught up may leave the last events of a window undelivered: after so long they are read, ms. */
const UNDELIVERED_MS = 1_000;

export function subscribe(source: SubscriptionSource, options: SubscribeOptions): AsyncIterable<SubscriptionMessage> {
  const { after, batchSize = DEFAULT_BATCH } = options;
  const start = after === 'end' ? 'end' : after === undefined ? 0n : fromPosition(after);
  const follower = { source, filter: options.filter, limit: Math.max(1, batchSize) };
  return iterable((signal) => follow(follower, start, AbortSignal.any([signal, source.retryPolicy.closing])), options.signal);
}

type Follower = { readonly source: SubscriptionSource; readonly filter: SubscribeOptions['filter']; readonly limit: number };

/** `delivered`: the consumer has everything up to here. `target`: the end that it is catching up with; null when it has. */
type Progress = { delivered: bigint | null; target: bigint | null; behind: boolean; failures: number };

async function* follow(follower: Follower, start: bigint | 'end', signal: AbortSignal): AsyncGenerator<SubscriptionMessage, void, undefined> {
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
      // Whatever was not handed out comes again, after the last position.
      progress.behind = true;
      log?.warn(
        { store: retryPolicy.label, after: toPosition(progress.delivered ?? 0n), reason: (error as Error).message },
        'A subscription broke off; it goes on after its position',
      );
      await pause(retryPolicy, progress.failures, signal);
      progress.failures += 1;
    } finally {
      feed?.cancel();
    }
  }
}

async function open({ source, filter, limit }: Follower, after: bigint, reached: bigint, window: number): Promise<Feed> {
  // Servers before 24.6 go on behind the first event that they find at that place or after it. Where the one that stood there has been scavenged
  // (an event of a deleted stream), that is one which was delivered to nobody.
  const standing = after === 0n ? null : await source.reader.firstFrom(after);
  const undelivered = standing !== null && positionOf(standing) > after ? standing : null;
  const from = undelivered === null ? after : positionOf(undelivered);
  const subscription = source.connection.subscribeToAll(
    { fromPosition: from === 0n ? START : { commit: from, prepare: from }, filter: callFilter(filter, window) },
    // Live, a checkpoint comes with each event.
    { highWaterMark: 2 * (limit + 1) },
  );
  // One more than a batch: a full buffer means that the consumer is behind by more than that.
  return createFeed(subscription, { after, undelivered, filter, capacity: limit + 1, reached });
}

/** The client tells of checkpoints at once, ahead of the events that it still holds: each is put in line behind them. */
function callFilter(filter: SubscribeOptions['filter'], window: number) {
  const wanted = serverFilter(filter);
  const checkpointReached = async (subscription: AllStreamSubscription, { commit }: { commit: bigint }) => void subscription.push({ scanned: commit });
  const common = { maxSearchWindow: window, checkpointInterval: 1, checkpointReached };
  return 'regex' in wanted ? eventTypeFilter({ ...common, regex: wanted.regex }) : streamNameFilter({ ...common, prefixes: wanted.prefixes });
}

type Reading = { readonly feed: Feed /** The call looks through many events at a time. */; readonly isFar: boolean };

/** Hands out what the feed brings; returns when another call should take over at the same place. */
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
      // The wide window of the way here would keep back what the filter hides.
      if (message.kind === 'caughtUp' && isFar) return;
      continue;
    }
    const failure = feed.failure();
    if (failure !== null) throw failure;
    if (await isQuiet(source, feed, isFar && progress.behind, signal)) await lookOn(follower, feed);
    // The rest of what came with it is taken along.
    await new Promise(setImmediate);
  }
}

/** Waits for something to come; true when nothing came for so long that it should be asked for. */
async function isQuiet({ timer }: SubscriptionSource, feed: Feed, isAsking: boolean, signal: AbortSignal): Promise<boolean> {
  let quiet = false;
  const ask: Trigger = (notify) =>
    timer(UNDELIVERED_MS, () => {
      quiet = true;
      notify();
    });
  await firstOf(isAsking ? [feed.changed.listen, ask] : [feed.changed.listen], signal);
  return quiet;
}

async function lookOn({ source, filter }: Follower, feed: Feed): Promise<void> {
  const { events, next } = await source.reader.readAll({ after: toPosition(feed.scanned()), limit: 1, ...(filter === undefined ? {} : { filter }) });
  if (events.length === 0) feed.scan(fromPosition(next));
}

function nextMessage(progress: Progress, feed: Feed, limit: number): SubscriptionMessage | null {
  const delivered = progress.delivered ?? 0n;
  const scanned = feed.scanned();
  const last = feed.queue.at(-1);
  const atEnd = progress.behind && scanned >= (progress.target ?? 0n);
  // On the way a batch is filled, unless the next event that passes the filter may be far.
  const isReady =
    !progress.behind || atEnd || feed.queue.length >= limit || (last !== undefined && toPosition(scanned) > last.position) || feed.failure() !== null;
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

/** `after`: what the consumer knows already. `undelivered` lies before what the call delivers. `reached`: a position that the log had before the call began. */
type FeedOptions = Pick<Follower, 'filter'> & {
  readonly after: bigint;
  readonly undelivered: ClientEvent | null;
  readonly capacity: number;
  readonly reached: bigint;
};

/** One subscription call as a small buffer: what came and was not taken yet, and up to where the log has been looked through. */
function createFeed(subscription: AllStreamSubscription, { after, undelivered, filter, capacity, reached }: FeedOptions) {
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
  // Nothing was left when it said so, and what there was then begins where the log was when the call began.
  subscription.on('caughtUp', () => void subscription.push({ scanned: reached }));
  subscription.on('readable', changed.notify);
  subscription.on('error', fail);
  for (const event of ['end', 'close'] as const) subscription.on(event, () => fail(new CallBroken('the subscription ended')));
  return {
    queue: queue as readonly RecordedEvent[],
    /** Takes over what has come, up to the capacity; the rest stays with the server. */
    fill() {
      while (queue.length < capacity) {
        const item = subscription.read() as ResolvedEvent | { readonly scanned: bigint } | null;
        if (item === null) return;
        if ('scanned' in item) scan(item.scanned);
        else if (item.event) takeRecord(item.event);
      }
    },
    /** Everything up to here has been looked at: it is in the queue, was taken, or is hidden by the filter. */
    scanned: () => scanned,
    scan,
    /** The consumer is behind. */
    isFull: () => queue.length >= capacity,
    /** Why no more will come, once that is so. */
    failure: () => failure,
    take: (count: number) => queue.splice(0, count) as readonly RecordedEvent[],
    /** Rings when something came, or nothing more will. */
    changed,
    cancel: () => void subscription.unsubscribe().catch(() => undefined),
  };
}
