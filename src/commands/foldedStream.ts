/**
 * Continues folding a stream from where its last fold ended. The result equals reading and folding the whole stream, no
 * matter who wrote to, truncated or deleted it meanwhile. It relies on guarantees of the event store: an event keeps
 * its revision, revisions continue after a truncation or soft deletion, and only events before a given revision are
 * ever hidden. A fold is therefore valid as long as its last event still exists and its first event is still the
 * stream's first; this is checked each time, after all reads. If it is not valid, the whole stream is read.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Decider, DomainEvent } from '../domain/decider.ts';
import type { AppendResult, EventStore, NewEvent, RecordedEvent, Revision } from '../eventStore/eventStore.ts';
import { type Fold, foldCacheOf, idKey, weightOf } from './foldCache.ts';
import { isOwn } from './isOwn.ts';
import { snapshotsOf } from './snapshots/foldSnapshots.ts';

/** Number of events read and folded before yielding to other work. */
const PAGE = 1_000;
/**
 * Number of events read first from a stream that may have a snapshot; the snapshot is looked up only if there are more.
 */
const FIRST_PAGE = 500;
/** For finding an id, which is nearly always among the last ones. */
const ID_PAGE = 100;

/** A decider whose folds are kept. */
export type KeptDecider<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event>,
  'initialState' | 'evolve' | 'keptBytes'
> & {
  readonly keptFrom: number;
};

/** `unknown`: the whole stream must be read, because the known fold is invalid or no events are left to fold. */
export async function foldStream<State, Event extends DomainEvent>(
  store: EventStore,
  decider: KeptDecider<State, Event>,
  stream: string,
): Promise<Fold<State> | 'missing' | 'deleted' | 'unknown'> {
  const cache = foldCacheOf(store);
  const snapshots = snapshotsOf(store, decider);
  const newest = (fold: Fold<State> | null): Fold<State> | null => furthest(fold, cache.get<State>(stream, decider));
  for (let known = newest(null), isFirst = true; ; known = newest(known), isFirst = false) {
    const read = await store.read(
      stream,
      known ? { limit: PAGE, from: known.last.revision } : { limit: snapshots ? FIRST_PAGE : PAGE },
    );
    if (read.status !== 'found') {
      cache.forget(stream);
      return read.status;
    }
    const [first] = read.events;
    if (!first || (known && first.id !== known.last.id)) break;
    if (snapshots && isFirst && !known && (read.events.at(-1) ?? first).revision < read.revision) {
      known = await snapshots.load(stream);
      if (known) continue;
    }
    const fold: Fold<State> = foldOn(decider, known && newest(known), first.revision, read.events);
    keep(store, decider, stream, fold);
    if (fold.last.revision >= read.revision) {
      // A single read is consistent by itself.
      if (!(isFirst && !known) && !(await beginsAt(store, stream, fold.first))) break;
      snapshots?.offer(stream, fold);
      return fold;
    }
    if (fold.last.revision === known?.last.revision) break;
    known = fold;
    await turn();
  }
  cache.forget(stream);
  return 'unknown';
}

/** The state after appending `events` to those in `fold`. */
export function foldAppended<State, Event extends DomainEvent>(
  store: EventStore,
  decider: KeptDecider<State, Event>,
  stream: string,
  {
    fold,
    events,
    appended,
  }: { readonly fold: Fold<State>; readonly events: readonly NewEvent[]; readonly appended: AppendResult },
): State {
  const { revision, position } = appended;
  // Another call may have read them already.
  const newest = foldCacheOf(store).get<State>(stream, decider);
  if (newest?.first === fold.first && newest.last.revision === revision) return newest.state;
  const from = revision - BigInt(events.length - 1);
  const written = events.map((event, index) => ({ ...event, revision: from + BigInt(index), position }));
  const next = foldOn(decider, fold, fold.first, written);
  keep(store, decider, stream, next);
  snapshotsOf(store, decider)?.offer(stream, next);
  return next.state;
}

/** Whether the fold contains an event with that id. */
export async function isFolded(store: EventStore, stream: string, fold: Fold<unknown>, id: string): Promise<boolean> {
  if (!fold.idKeys.has(idKey(id))) return false;
  // Other ids may have the same key.
  for (let from = fold.last.revision; ; ) {
    const page = await store.read(stream, { direction: 'backward', from, limit: ID_PAGE });
    const oldest = page.status === 'found' ? page.events.at(-1) : undefined;
    if (page.status !== 'found' || !oldest) return false;
    if (page.events.some((event) => event.id === id)) return true;
    if (oldest.revision <= fold.first) return false;
    from = oldest.revision - 1n;
  }
}

type Folded = Pick<RecordedEvent, 'id' | 'type' | 'data' | 'revision' | 'position' | 'unreadable'>;

function foldOn<State, Event extends DomainEvent>(
  { initialState, evolve, keptFrom, keptBytes }: KeptDecider<State, Event>,
  fold: Fold<State> | null,
  first: Revision,
  events: readonly Folded[],
): Fold<State> {
  const fresh = fold ? events.filter(({ revision }) => revision > fold.last.revision) : events;
  const last = fresh.at(-1) ?? fold?.last;
  if (!last) throw new Error('There is nothing to fold.');
  const idKeys = fold?.idKeys ?? new Set();
  for (const { id } of fresh) idKeys.add(idKey(id));
  const state = fresh.filter(isOwn<Event, Folded>).reduce(evolve, fold?.state ?? initialState());
  const count = (fold?.events ?? 0) + fresh.length;
  return {
    state,
    first: fold?.first ?? first,
    last: { id: last.id, revision: last.revision, position: last.position },
    events: count,
    weight: weightOf(count, count < keptFrom ? 0 : keptBytes?.(state)),
    idKeys,
    snapshot: fold?.snapshot ?? { events: 0 },
  };
}

/** The longer of two folds of the same stream, to fold as few events as possible twice. */
function furthest<State>(fold: Fold<State> | null, other: Fold<State> | null): Fold<State> | null {
  if (!fold || !other || other.first !== fold.first) return fold ?? other;
  return other.last.revision > fold.last.revision ? other : fold;
}

function keep<State, Event extends DomainEvent>(
  store: EventStore,
  decider: KeptDecider<State, Event>,
  stream: string,
  fold: Fold<State>,
): void {
  const cache = foldCacheOf(store);
  if (fold.events < decider.keptFrom || furthest(fold, cache.get<State>(stream, decider)) !== fold) return;
  cache.put(stream, decider, fold);
}

async function beginsAt(store: EventStore, stream: string, revision: Revision): Promise<boolean> {
  const read = await store.read(stream, { limit: 1 });
  return read.status === 'found' && read.events[0]?.revision === revision;
}
