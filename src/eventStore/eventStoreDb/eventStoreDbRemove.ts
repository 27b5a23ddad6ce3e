/**
 * Truncating and deleting streams. Deleted events leave the log when the server is scavenged; until then a reader of
 * the whole log may still see them.
 */
import { randomUUID } from 'node:crypto';
import { type EventStore, RevisionConflict, StreamDeleted } from '../eventStore.ts';
import { SerialisedEvent } from '../newEvents.ts';
import { isAt } from './eventStoreDbAppend.ts';
import type { SendAppend } from './eventStoreDbAppends.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { actualRevision, fateOf } from './eventStoreDbErrors.ts';
import { type Reader, truncatedBefore } from './eventStoreDbRead.ts';
import { type RetryPolicy, withRetries } from './eventStoreDbRetry.ts';

type DeleteOptions = NonNullable<Parameters<EventStore['delete']>[1]>;

export function createRemovals(
  connection: EventStoreDbConnection,
  send: SendAppend,
  reader: Reader,
  retryPolicy: RetryPolicy,
) {
  async function truncate(stream: string, before: bigint): Promise<void> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') throw new StreamDeleted(stream);
    if (end.status === 'missing' || before <= 0n) return;
    const metadata = await reader.metadata(stream);
    // Not beyond the end: events appended later must be visible.
    const wanted = before > end.revision ? end.revision + 1n : before;
    if (wanted <= truncatedBefore(metadata)) return;
    const event = new SerialisedEvent(randomUUID(), '$metadata', withTruncateBefore(metadata, wanted), '{}');
    await withRetries(retryPolicy, () => send(`$$${stream}`, [event], 'any'));
  }

  async function tryRemove(stream: string, { expected = 'any' }: DeleteOptions): Promise<void> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') return;
    const revision = end.status === 'found' ? end.revision : null;
    if (!isAt(revision, expected)) throw new RevisionConflict(stream, expected, revision);
    try {
      await connection.tombstoneStream(stream, { expectedRevision: expected });
    } catch (error) {
      const fate = fateOf(error);
      if (fate === 'conflict') throw new RevisionConflict(stream, expected, actualRevision(error));
      if (fate !== 'deleted') throw error;
    }
  }

  return {
    truncate,
    remove: (stream: string, options: DeleteOptions) => withRetries(retryPolicy, () => tryRemove(stream, options)),
  };
}

/** The metadata with this `$tb`, written as text: as a JSON number it would be rounded beyond 2^53. */
function withTruncateBefore({ $tb: _, ...others }: Readonly<Record<string, unknown>>, before: bigint): string {
  const rest = JSON.stringify(others).slice(1, -1);
  return `{"$tb":${before}${rest === '' ? '' : `,${rest}`}}`;
}

/**
 * Appends do not wait for each other. A removal waits for everything requested before it, and later appends to that
 * stream wait for the removal. Hand-written, because a read-write lock over all streams would block appends to the
 * others.
 */
export function createStreamLocks() {
  const running = new Set<Promise<unknown>>();
  const removals = new Map<string, Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const end = () => running.delete(work);
    running.add(work);
    work.then(end, end);
    return work;
  }

  return {
    append<T>(stream: string, work: () => Promise<T>): Promise<T> {
      const removal = removals.get(stream);
      return track(removal ? removal.then(work, work) : work());
    },
    remove<T>(stream: string, work: () => Promise<T>): Promise<T> {
      const removal = track(Promise.allSettled(running).then(work));
      const end = () => removals.get(stream) === removal && removals.delete(stream);
      removals.set(stream, removal);
      removal.then(end, end);
      return removal;
    },
    /** Settles with everything requested so far. */
    drained: () => Promise.allSettled(running),
  };
}
