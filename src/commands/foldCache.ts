/** What was folded of long streams, kept in memory, least recently used first to go. It is only ever a place to go on from: `foldedStream.ts`. */
import type { EventStore, RecordedEvent, Revision } from '../eventStore/eventStore.ts';

/** A fold of all events from `first` to `last`. */
export type Fold<State> = {
  readonly state: State;
  readonly first: Revision;
  readonly last: Pick<RecordedEvent, 'id' | 'revision' | 'position'>;
  readonly events: number;
  /** `idKey` of each of their ids, possibly of later ones too: what is not among them was not written. */
  readonly idKeys: Set<number>;
  /** Shared by the folds that go on from one another. */
  readonly snapshot: SnapshotNote;
};

/** How many events the last snapshot of the stream has, or the last one that was tried; 0 before there is any. */
export type SnapshotNote = { events: number };

export type FoldCache = {
  /** Null when there is none, or it is another decider's. */
  get<State>(stream: string, decider: object): Fold<State> | null;
  put(stream: string, decider: object, fold: Fold<unknown>): void;
  forget(stream: string): void;
};

/** Events in all folds together; a bill takes about 180 bytes for each. */
const MAX_EVENTS = 400_000;

/** The one fold that was used last is kept however long it is: without it, each command would fold a stream of that length. */
export function createFoldCache(maxEvents = MAX_EVENTS): FoldCache {
  const folds = new Map<string, { readonly decider: object; readonly fold: Fold<unknown> }>();
  let events = 0;

  function forget(stream: string): void {
    events -= folds.get(stream)?.fold.events ?? 0;
    folds.delete(stream);
  }

  function put(stream: string, decider: object, fold: Fold<unknown>): void {
    forget(stream);
    folds.set(stream, { decider, fold });
    events += fold.events;
    for (const oldest of folds.keys()) {
      if (events <= maxEvents || folds.size === 1) return;
      forget(oldest);
    }
  }

  return {
    get: <State>(stream: string, decider: object) => {
      const kept = folds.get(stream);
      if (kept?.decider !== decider) return null;
      folds.delete(stream);
      folds.set(stream, kept);
      // What a decider put in is what it gets.
      return kept.fold as Fold<State>;
    },
    put,
    forget,
  };
}

const caches = new WeakMap<EventStore, FoldCache>();

export function foldCacheOf(store: EventStore): FoldCache {
  const known = caches.get(store);
  if (known) return known;
  const cache = createFoldCache();
  caches.set(store, cache);
  return cache;
}

/** 32 bits of an event's id, which begins with 8 hexadecimal digits; whatever else it is has a key, too. */
export const idKey = (id: string): number => Number.parseInt(id.slice(0, 8), 16) | 0;
