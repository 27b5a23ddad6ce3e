/**
 * Catch-up subscriptions: a call that is begun anew after the last position whenever it breaks. Behind, the server looks through many events
 * before it says where it is; at the end of the log it says so for each event that the filter hides, because somebody may wait for it.
 */
import { type Alarm, firstOf, iterable, type WakeUp } from './bell.ts';
import type { Position, SubscribeOptions, SubscriptionMessage } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf, toStoreError } from './eventStoreDbErrors.ts';
import { positionOf } from './eventStoreDbEvents.ts';
import { createFeed, type Feed } from './eventStoreDbFeed.ts';
import type { LogReader } from './eventStoreDbLog.ts';
import { type Patience, pause } from './eventStoreDbPatience.ts';
import { serverFilter, subscriptionRequest } from './eventStoreDbRequests.ts';
import { fromPosition, toPosition } from './positions.ts';

export type StoreLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

export type SubscriptionSource = {
  readonly connection: EventStoreDbConnection;
  readonly reader: LogReader;
  readonly patience: Patience;
  readonly alarm: Alarm;
  readonly log: StoreLog | undefined;
  /** Told of each position that is handed out. */
  readonly saw: (position: Position) => void;
};

const DEFAULT_BATCH = 500;
const WINDOW_BEHIND = 512;
const WINDOW_LIVE = 1;
/** A server from before it said that a subscription has caught up may leave the last events of a window untold: after so long they are asked for, ms. */
const UNTOLD_MS = 1_000;

export function subscribe(source: SubscriptionSource, options: SubscribeOptions): AsyncIterable<SubscriptionMessage> {
  const { after, batchSize = DEFAULT_BATCH } = options;
  const start = after === 'end' ? 'end' : after === undefined ? 0n : fromPosition(after);
  const follower = { source, filter: options.filter, limit: Math.max(1, batchSize) };
  return iterable((signal) => follow(follower, start, AbortSignal.any([signal, source.patience.closing])), options.signal);
}

type Follower = { readonly source: SubscriptionSource; readonly filter: SubscribeOptions['filter']; readonly limit: number };

/** `told`: the consumer knows everything up to here. `target`: the end that it is catching up with; null when it has. */
type Progress = { told: bigint | null; target: bigint | null; behind: boolean; failures: number };

async function* follow(follower: Follower, start: bigint | 'end', signal: AbortSignal): AsyncGenerator<SubscriptionMessage, void, undefined> {
  const { reader, patience, log } = follower.source;
  const progress: Progress = { told: start === 'end' ? null : start, target: null, behind: true, failures: 0 };
  while (!signal.aborted) {
    let feed: Feed | null = null;
    try {
      const end = await reader.head();
      progress.told ??= end;
      if (progress.behind) progress.target = end;
      const isFar = progress.behind && progress.told < end;
      feed = await open(follower, progress.told, end, isFar ? WINDOW_BEHIND : WINDOW_LIVE);
      yield* drain(follower, progress, { feed, isFar }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (fateOf(error) !== 'away') throw toStoreError(error, patience.label);
      // Whatever was not handed out comes again, after the last position.
      progress.behind = true;
      log?.warn(
        { store: patience.label, after: toPosition(progress.told ?? 0n), reason: (error as Error).message },
        'A subscription broke off; it goes on after its position',
      );
      await pause(patience, progress.failures, signal);
      progress.failures += 1;
    } finally {
      feed?.cancel();
    }
  }
}

async function open({ source, filter, limit }: Follower, after: bigint, reached: bigint, window: number): Promise<Feed> {
  // Servers before 24.6 go on behind the first event that they find at that place or after it. Where the one that stood there has been scavenged
  // (a checkpoint of a group, an event of a deleted stream), that is one which nobody was told of.
  const standing = after === 0n ? null : await source.reader.firstFrom(after);
  const untold = standing !== null && positionOf(standing) > after ? standing : null;
  const from = untold === null ? after : positionOf(untold);
  const call = await source.connection.open(subscriptionRequest(from, serverFilter(filter), window));
  // One more than a batch: a full buffer means that the consumer is behind by more than that.
  return createFeed(call, { after, untold, filter, capacity: limit + 1, reached });
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
    if (!progress.behind && feed.isFull()) {
      progress.behind = true;
      progress.target = await source.reader.head();
    }
    const message = nextMessage(progress, feed, limit);
    if (message !== null) {
      progress.failures = 0;
      source.saw(toPosition(progress.told ?? 0n));
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
async function isQuiet({ alarm }: SubscriptionSource, feed: Feed, isAsking: boolean, signal: AbortSignal): Promise<boolean> {
  let quiet = false;
  const ask: WakeUp = (ring) =>
    alarm(UNTOLD_MS, () => {
      quiet = true;
      ring();
    });
  await firstOf(isAsking ? [feed.changed.listen, ask] : [feed.changed.listen], signal);
  return quiet;
}

async function lookOn({ source, filter }: Follower, feed: Feed): Promise<void> {
  const from = feed.scanned();
  const { events, next } = await source.reader.readAll({ after: toPosition(from), limit: 1, ...(filter === undefined ? {} : { filter }) });
  if (events.length === 0) feed.scan(fromPosition(next));
}

function nextMessage(progress: Progress, feed: Feed, limit: number): SubscriptionMessage | null {
  const told = progress.told ?? 0n;
  const scanned = feed.scanned();
  const last = feed.queue.at(-1);
  const atEnd = progress.behind && scanned >= (progress.target ?? 0n);
  // On the way a batch is filled, unless the next event that passes the filter may be far.
  const isReady =
    !progress.behind || atEnd || feed.queue.length >= limit || (last !== undefined && toPosition(scanned) > last.position) || feed.failure() !== null;
  if (last !== undefined) {
    if (!isReady) return null;
    const events = feed.take(limit);
    progress.told = fromPosition(events.at(-1)?.position ?? toPosition(told));
    return { kind: 'events', events };
  }
  if (atEnd) {
    progress.behind = false;
    progress.target = null;
    progress.told = scanned > told ? scanned : told;
    return { kind: 'caughtUp', position: toPosition(progress.told) };
  }
  if (scanned <= told) return null;
  progress.told = scanned;
  return { kind: 'checkpoint', position: toPosition(scanned) };
}
