/** Catch-up subscriptions: read the log from a position, then wait at its end. */
import type { SubscribeOptions, SubscriptionMessage } from '../eventStore.ts';
import { firstOf, iterable, type Notifier } from '../notifier.ts';
import { fromPosition, toPosition } from '../positions.ts';
import type { Head } from './sqliteAppend.ts';
import type { LogPage, ReadLog } from './sqliteRead.ts';
import type { RecentEvents } from './sqliteRecent.ts';
import { type EventRow, toEvent } from './sqliteRows.ts';

export type SubscriptionSource = {
  readonly readLog: ReadLog;
  readonly head: Head;
  readonly recent: RecentEvents;
  /** Triggers after each commit and on close. */
  readonly changed: Notifier;
  readonly isClosed: () => boolean;
};

const DEFAULT_BATCH = 500;

/** Nothing is buffered: the next page is read when the consumer asks for it. */
export function subscribe(source: SubscriptionSource, options: SubscribeOptions): AsyncIterable<SubscriptionMessage> {
  const { after = toPosition(0n), filter, batchSize = DEFAULT_BATCH } = options;
  const start = after === 'end' ? source.head.committed : fromPosition(after);
  return iterable((signal) => messages(source, start, filter, Math.max(1, batchSize), signal), options.signal);
}

async function* messages(
  { readLog, head, recent, changed, isClosed }: SubscriptionSource,
  start: bigint,
  filter: SubscribeOptions['filter'],
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  let after = start;
  let catchingUp = true;
  while (!signal.aborted && !isClosed()) {
    const page =
      recentPage(recent.between(after, head.committed, filter), head.committed, limit) ??
      readLog({ after, direction: 'forward', limit, filter });
    const moved = page.next > after;
    after = page.next;
    // Behind again by more than one batch: another catch-up has begun.
    catchingUp ||= !page.end;
    if (page.rows.length > 0) yield { kind: 'events', events: page.rows.map(toEvent) };
    // Also beyond the last event delivered: a consumer waiting for a position must not wait for the next matching
    // event.
    if (moved && page.rows.at(-1)?.[0] !== after) yield { kind: 'checkpoint', position: toPosition(after) };
    if (moved) {
      // A subscriber catching up with a long history must not block the thread.
      if (!page.end) await new Promise(setImmediate);
      continue;
    }
    if (catchingUp) {
      catchingUp = false;
      yield { kind: 'caughtUp', position: toPosition(after) };
      continue;
    }
    if (after >= head.committed) await firstOf([changed.listen], signal);
  }
}

/** The page that reading would give; null if it has to be read. */
function recentPage(rows: readonly EventRow[] | null, last: bigint, limit: number): LogPage<EventRow> | null {
  if (rows === null || rows.length > limit) return null;
  return { rows, next: last, end: true };
}
