/** What the store knows about each stream without reading it: its revision, and the event ids it contains. */
import type { EventDatabase } from './sqliteFile.ts';
import { createIdKeys, type IdKeys } from './sqliteIdKeys.ts';

export type StreamState = {
  readonly name: string;
  readonly key: number;
  /**
   * `none`: never written. `hard`: permanently deleted. `soft`: deleted by an earlier version in a way that allows new
   * events, and not written since.
   */
  status: 'none' | 'live' | 'soft' | 'hard';
  /** Revision of the last event ever written, -1n before the first. */
  revision: bigint;
  /** Position of the last remaining event, 0n without one. */
  position: bigint;
  /** The revision at which `no_stream` begins. */
  base: bigint;
  /** Keys of the ids of all remaining events. */
  readonly idKeys: IdKeys;
  /** Hash of the last event; null: none is left of the stream. Undefined: not known. */
  lastHash: string | null | undefined;
};

export type Streams = {
  readonly get: (stream: string) => StreamState;
  readonly addId: (state: StreamState, key: number) => void;
  readonly forget: (stream: string) => void;
  /** After a rollback: anything remembered from within it is wrong. */
  readonly forgetAll: () => void;
};

/**
 * Remembered streams and ids (at most 12 bytes each if there are many); the least recently used streams are evicted
 * first.
 */
const MAX_STREAMS = 2_000;
const MAX_IDS = 1_000_000;

/** Only this process writes the file, so the cache stays valid. */
export function createStreams(db: EventDatabase): Streams {
  const selectLast = db
    .prepare<[number, string], [bigint, bigint]>(
      'SELECT revision, position FROM events INDEXED BY events_of_stream WHERE stream_key = ? AND stream = ? ORDER BY revision DESC LIMIT 1',
    )
    .raw()
    .safeIntegers();
  const selectEnd = db
    .prepare<[string], [bigint, string]>('SELECT revision, state FROM stream_ends WHERE stream = ?')
    .raw()
    .safeIntegers();
  const selectIdKeys = db
    .prepare<[number], number>('SELECT id_key FROM events INDEXED BY events_of_stream WHERE stream_key = ?')
    .pluck();
  const remembered = new Map<string, StreamState>();
  let ids = 0;

  function load(name: string): StreamState {
    const key = streamKey(name);
    const end = selectEnd.get(name);
    const last = selectLast.get(key, name);
    const softly = end?.[1] === 'soft';
    return {
      name,
      key,
      status:
        end?.[1] === 'hard'
          ? 'hard'
          : last !== undefined
            ? 'live'
            : softly
              ? 'soft'
              : end !== undefined
                ? 'live'
                : 'none',
      revision: last?.[0] ?? end?.[0] ?? -1n,
      position: last?.[1] ?? 0n,
      base: softly && end !== undefined ? end[0] + 1n : 0n,
      idKeys: createIdKeys(last === undefined ? [] : selectIdKeys.all(key)),
      lastHash: undefined,
    };
  }

  function makeRoom(): void {
    for (const [name, state] of remembered) {
      if (remembered.size <= MAX_STREAMS && ids <= MAX_IDS) return;
      remembered.delete(name);
      ids -= state.idKeys.size;
    }
  }

  function forgetAll(): void {
    remembered.clear();
    ids = 0;
  }

  return {
    get(stream) {
      const known = remembered.get(stream);
      if (known !== undefined) {
        remembered.delete(stream);
        remembered.set(stream, known);
        return known;
      }
      const state = load(stream);
      ids += state.idKeys.size;
      makeRoom();
      remembered.set(stream, state);
      return state;
    },
    addId(state, key) {
      ids -= state.idKeys.size;
      state.idKeys.add(key);
      ids += state.idKeys.size;
    },
    forget(stream) {
      const state = remembered.get(stream);
      if (state === undefined) return;
      remembered.delete(stream);
      ids -= state.idKeys.size;
    },
    forgetAll,
  };
}

/** 53 bits of a stream's name: two rounds of FNV-1a with different seeds. */
export function streamKey(stream: string): number {
  return (fnv1a(stream, 0x811c9dc5) & 0x1fffff) * 0x1_0000_0000 + (fnv1a(stream, 0x9e3779b9) >>> 0);
}

/** 32 bits of an event's id. */
export function idKey(id: string): number {
  return fnv1a(id, 0x811c9dc5);
}

function fnv1a(text: string, seed: number): number {
  let hash = seed | 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
