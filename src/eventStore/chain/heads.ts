/** The last events of streams known to this process, with their hashes; the least recently used are evicted first. */
import type { RecordedEvent, Revision, StreamRead } from '../eventStore.ts';
import { hashOf } from './eventHash.ts';

export type Head = { readonly revision: Revision; readonly hash: string };

/** Recently written or hashed. */
const MOST_HEADS = 10_000;
/** Recently read and not hashed: few reads are followed by an append, and events may be large. */
const MOST_READ = 64;

export type Heads = ReturnType<typeof createHeads>;

export function createHeads() {
  const heads = new Map<string, Head>();
  const read = new Map<string, RecordedEvent>();

  function note(stream: string, head: Head): void {
    read.delete(stream);
    keep(heads, stream, head, MOST_HEADS);
  }

  return {
    note,
    /** Records the end of a stream from what was read of it, unless a later one is known. */
    saw(stream: string, found: StreamRead): void {
      if (found.status !== 'found') return;
      const last = [found.events.at(-1), found.events[0]].find((event) => event?.revision === found.revision);
      const known = heads.get(stream)?.revision ?? read.get(stream)?.revision ?? -1n;
      if (last !== undefined && last.revision > known) keep(read, stream, last, MOST_READ);
    },
    /** The last known event. */
    of(stream: string): Head | null {
      const event = read.get(stream);
      if (event !== undefined) note(stream, { revision: event.revision, hash: hashOf(event) });
      const head = heads.get(stream);
      if (head !== undefined && event === undefined) keep(heads, stream, head, MOST_HEADS);
      return heads.get(stream) ?? null;
    },
    forget(stream: string): void {
      heads.delete(stream);
      read.delete(stream);
    },
  };
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? '');
}
