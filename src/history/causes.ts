/** What led to an event, up to the request that began it all, and what followed from it, level by level. */
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import { getCause, listFollowing } from '../projections/history/causes.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { eventAt, eventsAt } from './eventsAt.ts';

/** `unknown`: an event from before causes were kept. */
type BeginningKind = 'request' | 'command' | 'deleted' | 'unknown';

export type Causes = {
  /** What the first of these events was done in answer to: a request, a command of the clock or an operator, or what was erased since. */
  readonly beginning: { readonly kind: BeginningKind; readonly id: string };
  /** The first to the last: each follows from the one before it, and the event from the last. */
  readonly ancestors: readonly RecordedEvent[];
  /** Null: the id is that of a request or a command, or of an event that was erased. */
  readonly event: RecordedEvent | null;
  /** Level by level, each in the order of the log; by whose correlation they hang together. */
  readonly following: readonly RecordedEvent[];
  /** More that follows directly. */
  readonly cursor: string | null;
  /** Further down, more followed than is told here. */
  readonly cut: boolean;
};

type Sources = { readonly readModels: Pick<ReadModels, 'get' | 'find'>; readonly store: Pick<EventStore, 'read'> };

/** Of one level. */
export const NODES_OF_A_LEVEL = 200;
/** Below the event. */
const NODES = 600;
const LEVELS = 12;
/** Longer than any chain; what led to an event came before it, so that none is a circle. */
const ANCESTORS = 500;

/** Null: nothing is known of such an event or request. */
export async function causesOf(sources: Sources, id: string, { cursor }: { readonly cursor?: string | undefined } = {}): Promise<Causes | null> {
  const place = await getCause(sources.readModels, id);
  const event = place && (await eventAt(sources.store, place.data));
  const { following, ...rest } = await followingOf(sources, { id, event, cursor });
  const [first] = following;
  if (event) return { ...(await ancestorsOf(sources, event)), event, following, ...rest };
  return first ? { beginning: beginningOf(first), ancestors: [], event: null, following, ...rest } : null;
}

async function ancestorsOf({ readModels, store }: Sources, event: RecordedEvent): Promise<Pick<Causes, 'beginning' | 'ancestors'>> {
  const ancestors: RecordedEvent[] = [];
  let last = event;
  while (ancestors.length < ANCESTORS && tookUp(last)) {
    const place = await getCause(readModels, last.metadata.correlationId);
    const cause = place && (await eventAt(store, place.data));
    if (!cause) break;
    ancestors.unshift(cause);
    last = cause;
  }
  return { beginning: beginningOf(last), ancestors };
}

/** Whether it may be done in answer to an event. How a client names its request must not hang what it does below one. */
const tookUp = ({ id, metadata: { actor, correlationId } }: RecordedEvent): boolean =>
  (actor.kind === 'worker' || actor.kind === 'system') && correlationId !== id;

/** Of an event whose cause is no event that is there. */
function beginningOf(event: RecordedEvent): Causes['beginning'] {
  const { actor, correlationId: id, causationId } = event.metadata;
  if (id === event.id) return { kind: 'unknown', id };
  if (!tookUp(event)) return { kind: 'request', id };
  // The clock and operators begin by commands; workers and followers take events up, and do nothing else.
  const began = id === causationId || (actor.kind === 'system' && actor.id !== 'followers');
  return { kind: began ? 'command' : 'deleted', id };
}

type Asked = { readonly id: string; readonly event: RecordedEvent | null; readonly cursor: string | undefined };
type Following = Pick<Causes, 'following' | 'cursor' | 'cut'>;

async function followingOf({ readModels, store }: Sources, { id, event, cursor }: Asked): Promise<Following> {
  const following: RecordedEvent[] = [];
  const known = new Set([id]);
  let direct: string | null = null;
  let isRequest = event === null;
  let level: readonly string[] = [id];
  for (let depth = 0; level.length > 0; depth += 1) {
    const room = Math.min(NODES_OF_A_LEVEL, NODES - following.length);
    // One is asked for all the same, to tell whether there are any.
    const isFull = depth === LEVELS || room === 0;
    const page = await listFollowing(readModels, level, { limit: isFull ? 1 : room, ...(depth === 0 ? { cursor } : {}) });
    if (isFull) return { following, cursor: direct, cut: page.documents.length > 0 };
    const places = page.documents.filter((document) => !known.has(document.id)).map(({ data }) => data);
    const events = (await eventsAt(store, places)).filter((event) => isRequest || tookUp(event));
    for (const event of events) known.add(event.id);
    isRequest = false;
    following.push(...events);
    if (depth === 0) direct = page.cursor;
    else if (page.cursor !== null) return { following, cursor: direct, cut: true };
    level = events.map((event) => event.id);
  }
  return { following, cursor: direct, cut: false };
}
