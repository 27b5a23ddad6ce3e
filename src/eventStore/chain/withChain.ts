/** Every written event names its predecessor in the stream by hash (`metadata.previousHash`), so that later changes to a stream can be detected. */
import { type AppendResult, type EventStore, type ExpectedRevision, type NewEvent, type Position, type Revision, RevisionConflict } from '../eventStore.ts';
import { type SerialisedEvent, serialiseEvent } from '../newEvents.ts';
import { hashOf, hashOfText } from './eventHash.ts';
import { createHeads, type Heads } from './heads.ts';

export type ChainOptions = {
  /** This process is the only writer: the last event written here is the end of its stream. */
  readonly isOnlyWriter: boolean;
  /**
   * The streams that are permanently deleted when this event is written: it records their last hashes, which proves that events missing later were erased,
   * not lost.
   */
  readonly closes: (event: NewEvent) => readonly string[];
};

type Chain = ChainOptions & {
  readonly store: EventStore;
  readonly heads: Heads;
  /** The known end of the log; null: not read yet. */
  newest: Position | null;
};

/** How far back a stream is searched for an event that may already exist, if no exact revision locates it. */
const LOOK_BACK = 100;
const MAX_TRIES = 200;

/** An adapter is a plain object of functions, so that its other functions are preserved. */
export function withChain<Store extends EventStore>(store: Store, options: ChainOptions): Store {
  const heads = createHeads();
  const chain: Chain = { ...options, store, heads, newest: null };
  /** Appends to a stream run one at a time. A library's mutex would start even an uncontended one asynchronously, and appends are sent in the order requested. */
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
function attempt(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  try {
    return append(chain, stream, events, expected);
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * If the hash is known, the append is sent synchronously, so that appends are sent in the order requested.
 * @throws InvalidAppend, EventTooLarge
 */
function append(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  if (events.length === 0) return chain.store.append(stream, events, { expected });
  const previous = isLoose(chain, expected) || isClosing(chain, events) ? undefined : known(chain, stream, expected);
  return previous === undefined ? appendUnknown(chain, stream, events, expected) : appendAt(chain, stream, events, { expected, previous });
}

async function appendUnknown(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  const closing = isClosing(chain, events) ? await withErased(chain, events) : events;
  if (isLoose(chain, expected)) return appendAnywhere(chain, stream, closing, expected);
  if (chain.isOnlyWriter) chain.newest ??= await chain.store.head();
  const place = known(chain, stream, expected);
  const previous = place === undefined ? await lookUp(chain, stream, typeof expected === 'bigint' ? expected : undefined) : place;
  return appendAt(chain, stream, closing, { expected, previous });
}

const isLoose = ({ isOnlyWriter }: Chain, expected: ExpectedRevision): boolean => !isOnlyWriter && expected === 'any';

const isClosing = ({ closes }: Chain, events: readonly NewEvent[]): boolean => events.some((event) => closes(event).length > 0);

/** The hash of the event that an append follows; null: there is none. Undefined: it has to be looked up. */
function known({ heads, isOnlyWriter, newest }: Chain, stream: string, expected: ExpectedRevision): string | null | undefined {
  if (isOnlyWriter && newest === null) return undefined;
  if (expected === 'no_stream') return null;
  const head = heads.of(stream);
  return head === null || (typeof expected === 'bigint' && head.revision !== expected) ? undefined : head.hash;
}

/** Reads it from the store; from the end if no revision is given. If nothing is found, the store itself rejects the append or begins the stream. */
async function lookUp({ store }: Chain, stream: string, revision?: Revision): Promise<string | null> {
  const read = await store.read(stream, { direction: 'backward', limit: 1, ...(revision === undefined ? {} : { from: revision }) });
  const event = read.status === 'found' ? read.events[0] : undefined;
  return event === undefined || (revision !== undefined && event.revision !== revision) ? null : hashOf(event);
}

type Where = { readonly expected: ExpectedRevision; readonly previous: string | null };

function appendAt(chain: Chain, stream: string, events: readonly NewEvent[], where: Where): Promise<AppendResult> {
  const { store, heads, isOnlyWriter, newest } = chain;
  const linked: SerialisedEvent[] = [];
  for (const event of events) {
    const before = linked.at(-1);
    linked.push(following(event, before === undefined ? where.previous : hashOfText(before, stream)));
  }
  const last = linked.at(-1);
  const appending = store.append(stream, linked, { expected: where.expected });
  if (!isOnlyWriter || newest === null || last === undefined) return appending;
  return appending.then((appended) => {
    // A repeat leaves the events of the first attempt in place, with their own time and therefore another hash. Newly written events come after everything
    // that existed before.
    if (appended.position > newest) heads.note(stream, { revision: appended.revision, hash: hashOfText(last, stream) });
    if (chain.newest === null || appended.position > chain.newest) chain.newest = appended.position;
    return appended;
  });
}

function following(event: NewEvent, previousHash: string | null): SerialisedEvent {
  if (previousHash === null) return serialiseEvent(event);
  // Adding it to the text is much cheaper than to the metadata, which would be copied for it.
  if (event.metadata.previousHash === undefined) return serialiseEvent(event).following(previousHash);
  return serialiseEvent({ ...event, metadata: { ...event.metadata, previousHash } });
}

/** With other writers: appends at exactly the last revision found, until no other write intervenes. */
async function appendAnywhere(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  for (let tries = 1; ; tries += 1) {
    const read = await chain.store.read(stream, { direction: 'backward', limit: LOOK_BACK });
    const found = read.status === 'found' ? read.events : [];
    const isRepeat = found.some(({ id }) => id.toLowerCase() === events[0]?.id.toLowerCase());
    const [last] = found;
    // Existing events and impossible appends are left to the store.
    if (isRepeat || read.status === 'deleted') return chain.store.append(stream, events, { expected });
    const previous = last === undefined ? null : hashOf(last);
    try {
      return await appendAt(chain, stream, events, { expected: read.status === 'found' ? read.revision : 'no_stream', previous });
    } catch (error) {
      if (!(error instanceof RevisionConflict) || tries >= MAX_TRIES) throw error;
    }
  }
}

async function withErased({ store, closes }: Chain, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
  return Promise.all(
    events.map(async (event) => {
      const ends = await Promise.all(closes(event).map(async (stream) => [stream, await store.read(stream, { direction: 'backward', limit: 1 })] as const));
      const erased = Object.fromEntries(
        ends.flatMap(([stream, read]) => (read.status === 'found' && read.events[0] !== undefined ? [[stream, hashOf(read.events[0])]] : [])),
      );
      return Object.keys(erased).length === 0 ? event : { ...event, metadata: { ...event.metadata, erased } };
    }),
  );
}
