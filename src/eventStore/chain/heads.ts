/** The last events of streams known to this process, with their hashes; those not used for long are evicted. */
import type { RecordedEvent, Revision, StreamRead } from '../eventStore.ts';
import { hashOf } from './eventHash.ts';

export type Head = { readonly revision: Revision; readonly hash: string };

/** Recently written or hashed. */
const MOST_HEADS = 5_000;
/** Recently read and not hashed: few reads are followed by an append, and events may be large. */
const MOST_READ = 32;

export type Heads = ReturnType<typeof createHeads>;

export function createHeads() {
  const heads = createRecent<Head>(MOST_HEADS);
  const read = createRecent<RecordedEvent>(MOST_READ);

  function note(stream: string, head: Head): void {
    read.delete(stream);
    heads.set(stream, head);
  }

  return {
    note,
    /** Records the end of a stream from what was read of it, unless a later one is known. */
    saw(stream: string, found: StreamRead): void {
      if (found.status !== 'found') return;
      const last = [found.events.at(-1), found.events[0]].find((event) => event?.revision === found.revision);
      const known = heads.get(stream)?.revision ?? read.get(stream)?.revision ?? -1n;
      if (last !== undefined && last.revision > known) read.set(stream, last);
    },
    /** The last known event. */
    of(stream: string): Head | null {
      const event = read.get(stream);
      if (event !== undefined) note(stream, { revision: event.revision, hash: hashOf(event) });
      return heads.get(stream) ?? null;
    },
    forget(stream: string): void {
      heads.delete(stream);
      read.delete(stream);
    },
  };
}

/**
 * Keeps what was set or read recently: at least the last `most` keys, at most twice as many. Two generations, since moving a key to the end of one map at
 * each use takes longer than the hash of an event.
 */
function createRecent<Value>(most: number) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function set(key: string, value: Value): void {
    if (young.size >= most && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    set,
    get(key: string): Value | undefined {
      const value = young.get(key);
      if (value !== undefined || old.size === 0) return value;
      const earlier = old.get(key);
      if (earlier !== undefined) set(key, earlier);
      return earlier;
    },
    delete(key: string): void {
      young.delete(key);
      old.delete(key);
    },
  };
}
