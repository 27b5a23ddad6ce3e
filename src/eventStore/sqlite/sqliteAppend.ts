/**
 * Appending: checking the expected revision, the idempotent retry, the link to the event before, and the insert. Runs
 * inside the writer's transaction.
 */
import {
  type AppendResult,
  type ExpectedRevision,
  InvalidAppend,
  RevisionConflict,
  StreamDeleted,
} from '../eventStore.ts';
import type { SerialisedEvent } from '../newEvents.ts';
import { toPosition } from '../positions.ts';
import { createLinks } from './sqliteChain.ts';
import type { EventDatabase } from './sqliteFile.ts';
import type { RecentEvents } from './sqliteRecent.ts';
import { idKey, type StreamState, type Streams } from './sqliteStreams.ts';

/** The end of the log: `assigned` is ahead of `committed` only inside a transaction. */
export type Head = { assigned: bigint; committed: bigint };

/**
 * `closing`: for each event the streams that it closes; null: the events are written as they are, without naming their
 * predecessors.
 */
type Append = (
  stream: string,
  events: readonly SerialisedEvent[],
  how: { readonly expected: ExpectedRevision; readonly closing: readonly (readonly string[])[] | null },
) => AppendResult;

export function createAppend(db: EventDatabase, streams: Streams, head: Head, recent: RecentEvents): Append {
  const links = createLinks(db);
  const insert = db.prepare(
    'INSERT INTO events (position, stream_key, revision, id_key, stream, type, id, metadata, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const selectAt = db
    .prepare<[number, bigint, string], [position: bigint, id: string, type: string, data: string]>(
      'SELECT position, id, type, data FROM events INDEXED BY events_of_stream WHERE stream_key = ? AND revision = ? AND stream = ?',
    )
    .raw()
    .safeIntegers();
  const selectRevisionOfId = db
    .prepare<[number, number, string, string], bigint>(
      'SELECT revision FROM events INDEXED BY events_of_stream WHERE stream_key = ? AND id_key = ? AND stream = ? AND id = ?',
    )
    .pluck()
    .safeIntegers();

  /**
   * The result of the earlier append if the events are in the stream from `first` on, unchanged; metadata may differ by
   * the time of the retry.
   */
  function alreadyAt(state: StreamState, first: bigint, events: readonly SerialisedEvent[]): AppendResult | null {
    let position = 0n;
    for (const [index, event] of events.entries()) {
      const stored = selectAt.get(state.key, first + BigInt(index), state.name);
      if (stored === undefined || stored[1] !== event.id || stored[2] !== event.type || stored[3] !== event.dataJson)
        return null;
      position = stored[0];
    }
    return { revision: first + BigInt(events.length - 1), position: toPosition(position) };
  }

  function revisionOf(state: StreamState, event: SerialisedEvent): bigint | undefined {
    const key = idKey(event.id);
    return state.idKeys.has(key) ? selectRevisionOfId.get(state.key, key, state.name, event.id) : undefined;
  }

  function repeated(
    state: StreamState,
    events: readonly SerialisedEvent[],
    expected: ExpectedRevision,
  ): AppendResult | null {
    for (const event of events) {
      const revision = revisionOf(state, event);
      if (revision === undefined) continue;
      const earlier = expected === 'any' ? alreadyAt(state, revision, events) : null;
      if (earlier !== null) return earlier;
      throw new InvalidAppend(`Event ${event.id} is already in stream ${state.name}, at revision ${revision}.`);
    }
    return null;
  }

  function write(state: StreamState, events: readonly SerialisedEvent[]): void {
    for (const event of events) {
      const key = idKey(event.id);
      state.revision += 1n;
      head.assigned += 1n;
      insert.run(
        head.assigned,
        state.key,
        state.revision,
        key,
        state.name,
        event.type,
        event.id,
        event.metadataJson,
        event.dataJson,
      );
      streams.addId(state, key);
      recent.note([
        head.assigned,
        state.name,
        state.revision,
        event.type,
        event.id,
        event.metadataJson,
        event.dataJson,
      ]);
    }
    state.position = head.assigned;
    state.status = 'live';
  }

  return (stream, events, { expected, closing }) => {
    const state = streams.get(stream);
    if (state.status === 'hard') throw new StreamDeleted(stream);
    if (!isAt(state, expected)) {
      const first = firstRevision(state, expected);
      const earlier = first === null || events.length === 0 ? null : alreadyAt(state, first, events);
      if (earlier === null) throw new RevisionConflict(stream, expected, currentRevision(state));
      return earlier;
    }
    if (events.length > 0) {
      const earlier = repeated(state, events, expected);
      if (earlier !== null) return earlier;
      const linked = closing === null ? null : links(state, events, closing);
      write(state, linked?.events ?? events);
      state.lastHash = linked?.lastHash;
    }
    return { revision: state.revision, position: toPosition(state.position) };
  };
}

/** Null if the stream does not exist. */
export function currentRevision(state: StreamState): bigint | null {
  return state.status === 'live' ? state.revision : null;
}

export function isAt(state: StreamState, expected: ExpectedRevision): boolean {
  if (expected === 'any') return true;
  if (expected === 'no_stream') return state.status !== 'live';
  return state.status === 'live' && state.revision === expected;
}

function firstRevision(state: StreamState, expected: ExpectedRevision): bigint | null {
  if (expected === 'no_stream') return state.base;
  return typeof expected === 'bigint' ? expected + 1n : null;
}
