/**
 * Cached states along long streams, so that a page in the middle is not folded from the start each time. In memory
 * only, and never a source of truth: they stay valid while the stream's first revision is unchanged, since events keep
 * their revisions and only events before a given revision are ever hidden.
 */
import type { EventStore, Revision } from '../eventStore/eventStore.ts';
import type { Folded } from './folded.ts';

/** Number of events between cached states. */
export const KEPT_EVERY = 500;
const MOST_STREAMS = 20;
const MOST_OF_A_STREAM = 200;

/** The state after all events before `next`. */
export type KeptFold = { readonly next: Revision; readonly state: Folded };

type Stream = { readonly first: Revision; readonly folds: KeptFold[] };

export type KeptFolds = {
  /** The last cached state at or before `revision`, for the stream starting at `first`. */
  before(stream: string, first: Revision, revision: Revision): KeptFold | null;
  keep(stream: string, first: Revision, fold: KeptFold): void;
  forget(stream: string): void;
};

function createKeptFolds(): KeptFolds {
  const streams = new Map<string, Stream>();
  const of = (stream: string, first: Revision): Stream | null => {
    const known = streams.get(stream);
    if (known?.first === first) return known;
    streams.delete(stream);
    return null;
  };
  return {
    before: (stream, first, revision) => of(stream, first)?.folds.findLast(({ next }) => next <= revision) ?? null,
    keep: (stream, first, fold) => {
      const known = of(stream, first) ?? { first, folds: [] };
      // Move to the end: the map is ordered by last use.
      streams.delete(stream);
      streams.set(stream, known);
      const last = known.folds.at(-1);
      if (known.folds.length < MOST_OF_A_STREAM && (!last || fold.next >= last.next + BigInt(KEPT_EVERY)))
        known.folds.push(fold);
      const [oldest] = streams.keys();
      if (streams.size > MOST_STREAMS && oldest !== undefined) streams.delete(oldest);
    },
    forget: (stream) => void streams.delete(stream),
  };
}

const OF_STORES = new WeakMap<EventStore, KeptFolds>();

/** The cache of a given store. */
export function keptFoldsOf(store: EventStore): KeptFolds {
  const known = OF_STORES.get(store) ?? createKeptFolds();
  OF_STORES.set(store, known);
  return known;
}
