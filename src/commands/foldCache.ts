/** LRU cache of folds of long streams. Used only as a starting point: `foldedStream.ts`. */
import type { EventStore, RecordedEvent, Revision } from '../eventStore/eventStore.ts';

/** A fold of all events from `first` to `last`. */
export type Fold<State> = {
  readonly state: State;
  readonly first: Revision;
  readonly last: Pick<RecordedEvent, 'id' | 'revision' | 'position'>;
  readonly events: number;
  /** What it takes of the cache: its events, or as many as would take as much memory as its state. */
  readonly weight: number;
  /** `idKey` of each event id, possibly of later events too: an id whose key is missing was not written. */
  readonly idKeys: Set<number>;
  /** Shared by all folds that continue one another. */
  readonly snapshot: SnapshotNote;
};

/** Number of events covered by the stream's last snapshot or snapshot attempt; 0 before the first. */
export type SnapshotNote = { events: number };

export type FoldCache = {
  /** Null if there is none, or it belongs to another decider. */
  get<State>(stream: string, decider: object): Fold<State> | null;
  put(stream: string, decider: object, fold: Fold<unknown>): void;
  forget(stream: string): void;
};

/** What an event adds to a bill. */
const BYTES_OF_AN_EVENT = 180;
/** Total weight of all folds: about 72 MB. */
const MAX_WEIGHT = 400_000;

/** The most recently used fold is kept at any length: otherwise each command would fold that stream again. */
export function createFoldCache(maxWeight = MAX_WEIGHT): FoldCache {
  const folds = new Map<string, { readonly decider: object; readonly fold: Fold<unknown> }>();
  let weight = 0;

  function forget(stream: string): void {
    weight -= folds.get(stream)?.fold.weight ?? 0;
    folds.delete(stream);
  }

  function put(stream: string, decider: object, fold: Fold<unknown>): void {
    forget(stream);
    folds.set(stream, { decider, fold });
    weight += fold.weight;
    for (const oldest of folds.keys()) {
      if (weight <= maxWeight || folds.size === 1) return;
      forget(oldest);
    }
  }

  return {
    get: <State>(stream: string, decider: object) => {
      const kept = folds.get(stream);
      if (kept?.decider !== decider) return null;
      folds.delete(stream);
      folds.set(stream, kept);
      // A decider only ever gets what it put in.
      return kept.fold as Fold<State>;
    },
    put,
    forget,
  };
}

export const weightOf = (events: number, bytes = 0): number => Math.max(events, Math.ceil(bytes / BYTES_OF_AN_EVENT));

const caches = new WeakMap<EventStore, FoldCache>();

export function foldCacheOf(store: EventStore): FoldCache {
  const known = caches.get(store);
  if (known) return known;
  const cache = createFoldCache();
  caches.set(store, cache);
  return cache;
}

/** 32 bits of an event's id, which begins with 8 hexadecimal digits; any other id has a key, too. */
export const idKey = (id: string): number => Number.parseInt(id.slice(0, 8), 16) | 0;
