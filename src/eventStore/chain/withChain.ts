/**
 * Every written event names its predecessor in the stream by hash (`metadata.previousHash`), so that later changes to a
 * stream can be detected.
 */
import {
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
} from '../eventStore.ts';
import { type SerialisedEvent, serialiseEvent } from '../newEvents.ts';
import { hashOf, hashOfText, unlinked } from './eventHash.ts';
import { createHeads, type Heads } from './heads.ts';

export type ChainOptions = {
  /**
   * The streams that are permanently deleted when this event is written: it records their last hashes, which proves
   * that events missing later were erased, not lost.
   */
  readonly closes: (event: NewEvent) => readonly string[];
};

type Chain = ChainOptions & { readonly store: EventStore; readonly heads: Heads };

/** How far back a stream is searched for an event that may already exist, if no exact revision locates it. */
const LOOK_BACK = 100;
const MAX_TRIES = 200;

/**
 * A store that `chains` links events itself. With any other, somebody else may write in between: an append is made at
 * the exact revision whose event it names. An adapter is a plain object of functions, so that its other functions are
 * preserved.
 */
export function withChain<Store extends EventStore>(store: Store, { closes }: ChainOptions): Store {
  if (store.chains)
    return {
      ...store,
      append: (stream, events, { expected }) => store.append(stream, events, { expected, closes }),
    } satisfies EventStore;
  const heads = createHeads();
  const chain: Chain = { closes, store, heads };
  /**
   * Appends to a stream run one at a time. A library's mutex would start even an uncontended one asynchronously, and
   * appends are sent in the order requested.
   */
  const underWay = new Map<string, Promise<unknown>>();

  return {
    ...store,
    append(stream, events, { expected }) {
      const work = after(underWay.get(stream), () => attempt(chain, stream, events, expected));
      underWay.set(stream, work);
      whenEnded(work, () => {
        if (underWay.get(stream) === work) underWay.delete(stream);
      });
      return work;
    },
    async read(stream, how) {
      const read = await store.read(stream, how);
      heads.saw(stream, read);
      return read;
    },
    async delete(stream, how) {
      heads.forget(stream);
      await store.delete(stream, how);
    },
  } satisfies EventStore;
}

/** Once the earlier work has ended in any way, or immediately. */
function after<T>(earlier: Promise<unknown> | undefined, next: () => Promise<T>): Promise<T> {
  return earlier === undefined ? next() : earlier.then(next, next);
}

function whenEnded(work: Promise<unknown>, then: () => void): void {
  work.then(then, then);
}

/** Events that cannot be stored are rejected as the store itself would. */
function attempt(
  chain: Chain,
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  try {
    return append(chain, stream, events.map(unlinked), expected);
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * If the hash is known, the append is sent synchronously, so that appends are sent in the order requested.
 * @throws InvalidAppend, EventTooLarge, RevisionConflict
 */
function append(
  chain: Chain,
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  if (events.length === 0) return chain.store.append(stream, events, { expected });
  if (expected === 'any' || isClosing(chain, events)) return appendUnknown(chain, stream, events, expected);
  const previous = known(chain, stream, expected);
  return previous === undefined
    ? appendUnknown(chain, stream, events, expected)
    : appendAt(chain, stream, events, { expected, previous });
}

async function appendUnknown(
  chain: Chain,
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  const closing = isClosing(chain, events) ? await withErased(chain, events) : events;
  if (expected === 'any') return appendAnywhere(chain, stream, closing);
  const place = known(chain, stream, expected);
  const previous = place === undefined ? await lookUp(chain, stream, expected) : place;
  return appendAt(chain, stream, closing, { expected, previous });
}

const isClosing = ({ closes }: Chain, events: readonly NewEvent[]): boolean =>
  events.some((event) => closes(event).length > 0);

/** A revision, or the beginning. */
type Exactly = Exclude<ExpectedRevision, 'any'>;

/** The hash of the event that an append follows; null: there is none. Undefined: it has to be looked up. */
function known({ heads }: Chain, stream: string, expected: Exactly): string | null | undefined {
  if (expected === 'no_stream') return null;
  const head = heads.of(stream);
  return head?.revision === expected ? head.hash : undefined;
}

/**
 * Reads it from the store.
 * @throws RevisionConflict if the stream does not reach that far: another writer may get there before the append does,
 *   which would then name no predecessor
 */
async function lookUp({ store }: Chain, stream: string, revision: Exactly): Promise<string | null> {
  if (revision === 'no_stream') return null;
  const read = await store.read(stream, { direction: 'backward', limit: 1, from: revision });
  if (read.status === 'deleted') return null;
  if (read.status === 'missing' || read.revision < revision)
    throw new RevisionConflict(stream, revision, read.status === 'missing' ? null : read.revision);
  const [event] = read.events;
  return event?.revision === revision ? hashOf(event) : null;
}

type Where = { readonly expected: Exactly; readonly previous: string | null };

function appendAt(
  { store }: Chain,
  stream: string,
  events: readonly NewEvent[],
  { expected, previous }: Where,
): Promise<AppendResult> {
  const linked: SerialisedEvent[] = [];
  for (const event of events) {
    const before = linked.at(-1);
    linked.push(following(event, before === undefined ? previous : hashOfText(before, stream)));
  }
  return store.append(stream, linked, { expected });
}

function following(event: NewEvent, previousHash: string | null): SerialisedEvent {
  return previousHash === null ? serialiseEvent(event) : serialiseEvent(event).following(previousHash);
}

/** Appends at exactly the last revision found, until no other write intervenes. */
async function appendAnywhere(chain: Chain, stream: string, events: readonly NewEvent[]): Promise<AppendResult> {
  for (let tries = 1; ; tries += 1) {
    const read = await chain.store.read(stream, { direction: 'backward', limit: LOOK_BACK });
    const found = read.status === 'found' ? read.events : [];
    const isRepeat = found.some(({ id }) => id.toLowerCase() === events[0]?.id.toLowerCase());
    const [last] = found;
    // Existing events and impossible appends are left to the store.
    if (isRepeat || read.status === 'deleted') return chain.store.append(stream, events, { expected: 'any' });
    const previous = last === undefined ? null : hashOf(last);
    try {
      return await appendAt(chain, stream, events, {
        expected: read.status === 'found' ? read.revision : 'no_stream',
        previous,
      });
    } catch (error) {
      if (!(error instanceof RevisionConflict) || tries >= MAX_TRIES) throw error;
    }
  }
}

async function withErased({ store, closes }: Chain, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
  return Promise.all(
    events.map(async (event) => {
      const ends = await Promise.all(
        closes(event).map(
          async (stream) => [stream, await store.read(stream, { direction: 'backward', limit: 1 })] as const,
        ),
      );
      const erased = Object.fromEntries(
        ends.flatMap(([stream, read]) =>
          read.status === 'found' && read.events[0] !== undefined ? [[stream, hashOf(read.events[0])]] : [],
        ),
      );
      const { id, type, data, metadata } = event;
      return Object.keys(erased).length === 0 ? event : { id, type, data, metadata: { ...metadata, erased } };
    }),
  );
}
