/** Truncating and deleting streams. Runs inside the writer's transaction. */
import { type EventStore, RevisionConflict, StreamDeleted } from '../eventStore.ts';
import { currentRevision, type Head, isAt } from './sqliteAppend.ts';
import type { EventDatabase } from './sqliteFile.ts';
import type { RecentEvents } from './sqliteRecent.ts';
import type { StreamState, Streams } from './sqliteStreams.ts';

type DeleteOptions = NonNullable<Parameters<EventStore['delete']>[1]>;

export type Removals = {
  readonly truncate: (stream: string, before: bigint) => void;
  readonly remove: (stream: string, options: DeleteOptions) => void;
};

type Log = {
  readonly db: EventDatabase;
  readonly streams: Streams;
  readonly head: Head;
  readonly recent: RecentEvents;
};

/** Hidden events are removed: nothing could read them any more, and the space is reused. */
export function createRemovals({ db, streams, head, recent }: Log): Removals {
  const range =
    'SELECT position FROM events INDEXED BY events_of_stream WHERE stream_key = ? AND stream = ? AND revision < ?';
  const deleteEvents = db.prepare(`DELETE FROM events WHERE position IN (${range})`);
  // Positions are never reused, even if the newest event is removed and the file is reopened.
  const keepHead = db.prepare('UPDATE log SET head = ?');
  const setEnd = db.prepare(
    'INSERT INTO stream_ends (stream, revision, state) VALUES (?, ?, ?) ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision, state = excluded.state',
  );

  function removeBefore(state: StreamState, before: bigint): void {
    keepHead.run(head.assigned);
    deleteEvents.run(state.key, state.name, before);
    recent.forgetAll();
  }

  return {
    truncate(stream, before) {
      const state = streams.get(stream);
      if (state.status === 'hard') throw new StreamDeleted(stream);
      if (state.status !== 'live' || before <= 0n) return;
      removeBefore(state, before);
      if (before > state.revision) setEnd.run(stream, state.revision, 'truncated');
      streams.forget(stream);
    },
    remove(stream, { expected = 'any' }) {
      const state = streams.get(stream);
      if (state.status === 'hard') return;
      if (!isAt(state, expected)) throw new RevisionConflict(stream, expected, currentRevision(state));
      removeBefore(state, state.revision + 1n);
      setEnd.run(stream, state.revision, 'hard');
      streams.forget(stream);
    },
  };
}
