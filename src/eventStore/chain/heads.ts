/**
 * The last events of streams read recently: a command reads a stream before it appends to it, so that its end need not
 * be read again for its hash.
 */
import type { RecordedEvent, Revision, StreamRead } from '../eventStore.ts';
import { hashOf } from './eventHash.ts';

export type Head = { readonly revision: Revision; readonly hash: string };

export type Heads = ReturnType<typeof createHeads>;

/** Few reads are followed by an append, and events may be large. */
const MOST = 32;

export function createHeads() {
  /** The least recently read first. */
  const ends = new Map<string, RecordedEvent>();

  return {
    /** Records the end of a stream from what was read of it, unless a later one is known. */
    saw(stream: string, found: StreamRead): void {
      if (found.status !== 'found') return;
      const last = [found.events.at(-1), found.events[0]].find((event) => event?.revision === found.revision);
      const known = ends.get(stream);
      if (last === undefined || (known !== undefined && known.revision > last.revision)) return;
      ends.delete(stream);
      ends.set(stream, last);
      for (const oldest of ends.keys()) {
        if (ends.size <= MOST) break;
        ends.delete(oldest);
      }
    },
    /** The last known event. */
    of(stream: string): Head | null {
      const event = ends.get(stream);
      return event === undefined ? null : { revision: event.revision, hash: hashOf(event) };
    },
    forget(stream: string): void {
      ends.delete(stream);
    },
  };
}
