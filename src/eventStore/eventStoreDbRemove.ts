/** Truncating and deleting streams. What was deleted leaves the log when the server is scavenged; until then a reader of the whole log may still meet it. */
import { type EventStore, RevisionConflict, StreamDeleted } from './eventStore.ts';
import { isAt } from './eventStoreDbAppend.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { actualRevision, fateOf } from './eventStoreDbErrors.ts';
import type { KnownIds } from './eventStoreDbKnown.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { appendRequests } from './eventStoreDbRequests.ts';
import { type StreamReader, truncatedBefore } from './eventStoreDbStreams.ts';

type DeleteOptions = Parameters<EventStore['delete']>[1];

export type Removals = {
  readonly truncate: (stream: string, before: bigint) => Promise<void>;
  readonly remove: (stream: string, options: DeleteOptions) => Promise<void>;
};

const METADATA_TYPE = '$metadata';

export function createRemovals(connection: EventStoreDbConnection, reader: StreamReader, known: KnownIds, patience: Patience, newId: () => string): Removals {
  async function truncate(stream: string, before: bigint): Promise<void> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') throw new StreamDeleted(stream);
    if (end.status === 'missing' || before <= 0n) return;
    const metadata = await reader.metadata(stream);
    // No further than the end: what is appended later must show.
    const wanted = before > end.revision ? end.revision + 1n : before;
    if (wanted <= (truncatedBefore(metadata) ?? 0n)) return;
    const event = { id: newId(), type: METADATA_TYPE, data: withTruncateBefore(metadata, wanted), metadata: '{}' };
    await patiently(patience, () => connection.sendAppend(appendRequests(`$$${stream}`, [event], 'any')));
  }

  async function sendRemoval(stream: string, mode: 'soft' | 'hard', expected: bigint | 'any' | 'no_stream'): Promise<void> {
    const options = { expectedRevision: expected };
    await (mode === 'soft' ? connection.deleteStream(stream, options) : connection.tombstoneStream(stream, options));
  }

  async function tryRemove(stream: string, { mode, expected = 'any' }: DeleteOptions): Promise<void> {
    const end = await reader.tail(stream);
    if (end.status === 'deleted') return;
    const revision = end.status === 'found' ? end.revision : null;
    if (!isAt(revision, expected)) throw new RevisionConflict(stream, expected, revision);
    if (mode === 'soft' && revision === null) return;
    try {
      await sendRemoval(stream, mode, expected === 'stream_exists' ? 'any' : expected);
    } catch (error) {
      const fate = fateOf(error);
      if (fate === 'deleted') return;
      if (fate !== 'conflict') throw error;
      const actual = actualRevision(error);
      // A softly deleted stream is not there for the port, but for the server it is at its last revision.
      const gone = expected === 'no_stream' && actual !== null && (await reader.tail(stream)).status === 'missing';
      if (!gone) throw new RevisionConflict(stream, expected, actual);
      await sendRemoval(stream, mode, actual);
    }
  }

  return {
    truncate,
    async remove(stream, options) {
      try {
        await patiently(patience, () => tryRemove(stream, options));
      } finally {
        known.forget(stream);
      }
    },
  };
}

/** The metadata with this `$tb`, written as text: as a JSON number it would be rounded beyond 2^53. */
function withTruncateBefore(metadata: string | null, before: bigint): string {
  const { $tb: _, ...others } = JSON.parse(metadata ?? '{}') as Record<string, unknown>;
  const rest = JSON.stringify(others).slice(1, -1);
  return `{"$tb":${before}${rest === '' ? '' : `,${rest}`}}`;
}
