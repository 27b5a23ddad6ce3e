/** What led to an event, back to the original request, and what followed from it, level by level. */
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import { getCause, listFollowing } from '../projections/history/causes.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { eventAt, eventsAt } from './eventsAt.ts';

/** `unknown`: the event predates the recording of causes. */
type BeginningKind = 'request' | 'command' | 'deleted' | 'unknown';

export type Causes = {
  /**
   * What triggered the first of these events: a request, a command from the clock or an operator, or an event that has
   * since been erased.
   */
  readonly beginning: { readonly kind: BeginningKind; readonly id: string };
  /** First to last: each follows from the one before it, and the event itself follows from the last. */
  readonly ancestors: readonly RecordedEvent[];
  /** Null if the id belongs to a request, a command or an erased event. */
  readonly event: RecordedEvent | null;
  /** Level by level, each in log order; linked by correlation id. */
  readonly following: readonly RecordedEvent[];
  /** Cursor for more direct consequences. */
  readonly cursor: string | null;
  /** Deeper levels were truncated. */
  readonly cut: boolean;
};

type Sources = { readonly readModels: Pick<ReadModels, 'get' | 'find'>; readonly store: Pick<EventStore, 'read'> };

/** Per level. */
export const NODES_OF_A_LEVEL = 200;
/** Total below the event. */
const NODES = 600;
const LEVELS = 12;
/** Longer than any real chain. A cause always precedes its effect, so there are no cycles. */
const ANCESTORS = 500;

/** Null if no such event or request is known. */
export async function causesOf(
  sources: Sources,
  id: string,
  { cursor }: { readonly cursor?: string | undefined } = {},
): Promise<Causes | null> {
  const place = await getCause(sources.readModels, id);
  const event = place && (await eventAt(sources.store, place.data));
  const { following, ...rest } = await followingOf(sources, { id, event, cursor });
  const [first] = following;
  if (event) return { ...(await ancestorsOf(sources, event)), event, following, ...rest };
  return first ? { beginning: beginningOf(first), ancestors: [], event: null, following, ...rest } : null;
}

async function ancestorsOf(
  { readModels, store }: Sources,
  event: RecordedEvent,
): Promise<Pick<Causes, 'beginning' | 'ancestors'>> {
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

/**
 * Whether the event can be a reaction to another event. A client-supplied request id must not attach the client's
 * events to an existing one; what the payment provider reports begins with its webhook's request.
 */
const tookUp = ({ id, metadata: { actor, correlationId } }: RecordedEvent): boolean =>
  (actor.kind === 'worker' || (actor.kind === 'system' && actor.id !== 'stripe')) && correlationId !== id;

/** For an event whose cause is not a known event. */
function beginningOf(event: RecordedEvent): Causes['beginning'] {
  const { actor, correlationId: id, causationId } = event.metadata;
  if (id === event.id) return { kind: 'unknown', id };
  if (!tookUp(event)) return { kind: 'request', id };
  // The clock and operators start from commands; workers and followers only react to events.
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
    // When full, still read one to find out whether there are more.
    const isFull = depth === LEVELS || room === 0;
    const page = await listFollowing(readModels, level, {
      limit: isFull ? 1 : room,
      ...(depth === 0 ? { cursor } : {}),
    });
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
