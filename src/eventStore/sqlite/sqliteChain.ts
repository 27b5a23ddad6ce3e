/**
 * The chain of hashes, made where events are written: inside the writer's transaction nothing comes between the end of
 * a stream and the append to it.
 */
import { hashOf, hashOfText } from '../chain/eventHash.ts';
import { StoreUnavailable } from '../eventStore.ts';
import { type SerialisedEvent, serialiseEvent } from '../newEvents.ts';
import type { EventDatabase } from './sqliteFile.ts';
import { EVENT_COLUMNS, type EventRow, toEvent } from './sqliteRows.ts';
import { type StreamState, streamKey } from './sqliteStreams.ts';

/** `lastHash`: of the last of them. */
type Linked = { readonly events: readonly SerialisedEvent[]; readonly lastHash: string | null };

/**
 * The events as they continue the stream: each names its predecessor, and one that closes streams records their last
 * hashes. Writes nothing.
 * @throws EventTooLarge, StoreUnavailable
 */
type Links = (
  state: StreamState,
  events: readonly SerialisedEvent[],
  closing: readonly (readonly string[])[],
) => Linked;

export function createLinks(db: EventDatabase): Links {
  const selectLast = db
    .prepare<[number, string], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_of_stream WHERE stream_key = ? AND stream = ? ORDER BY revision DESC LIMIT 1`,
    )
    .raw()
    .safeIntegers();

  function lastHashOf(stream: string): string | null {
    const row = selectLast.get(streamKey(stream), stream);
    if (row === undefined) return null;
    const last = toEvent(row);
    // Refuses this append alone, not the others of its transaction.
    if (last.unreadable !== undefined)
      throw new StoreUnavailable(`The last event of ${stream} is damaged: ${last.unreadable}.`);
    return hashOf(last);
  }

  function recordingErased(event: SerialisedEvent, closed: readonly string[]): SerialisedEvent {
    const erased: Record<string, string> = {};
    for (const stream of closed) {
      const hash = lastHashOf(stream);
      if (hash !== null) erased[stream] = hash;
    }
    if (Object.keys(erased).length === 0) return event;
    const { id, type, data, metadata } = event;
    return serialiseEvent({ id, type, data, metadata: { ...metadata, erased } });
  }

  return (state, events, closing) => {
    let hash = state.lastHash === undefined ? lastHashOf(state.name) : state.lastHash;
    const linked = events.map((event, index) => {
      const closed = closing[index] ?? [];
      const whole = closed.length === 0 ? event : recordingErased(event, closed);
      const next = hash === null ? whole : whole.following(hash);
      hash = hashOfText(next, state.name);
      return next;
    });
    return { events: linked, lastHash: hash };
  };
}
