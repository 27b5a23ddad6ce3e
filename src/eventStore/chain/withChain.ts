/** Every event that is written names its stream's event before it by its hash (`metadata.previousHash`), so that later changes to a stream show. */
import { type AppendResult, type EventStore, type ExpectedRevision, type NewEvent, type Revision, RevisionConflict } from '../eventStore.ts';
import { hashOf } from './eventHash.ts';
import { createHeads, type Heads } from './heads.ts';

export type ChainOptions = {
  /** Nobody else writes to this store: what was written here last is where a stream ends. */
  readonly isOnlyWriter: boolean;
  /** The streams that are deleted for good when this event is written: it gets their last hashes, so that what is gone later was erased, not lost. */
  readonly closes: (event: NewEvent) => readonly string[];
};

/** What an append stands on. `hash`: of the last event, null where there is none. `isEnd`: certainly the end, so that what is appended there is written now. */
type Place = { readonly revision: Revision; readonly hash: string | null; readonly isEnd: boolean };

type Chain = ChainOptions & { readonly store: EventStore; readonly heads: Heads };

/** How far back a stream is looked through for an event that may be there already, where no exact revision tells its place. */
const LOOK_BACK = 100;
const MAX_TRIES = 200;

/** An adapter is a plain record of functions, so that what else it can do stays. */
export function withChain<Store extends EventStore>(store: Store, options: ChainOptions): Store {
  const heads = createHeads();
  const chain: Chain = { ...options, store, heads };
  /** Appends to one stream wait for each other: where one ends the next begins. They never reject. */
  const underWay = new Map<string, Promise<unknown>>();

  return {
    ...store,
    append(stream, events, { expected }) {
      const earlier = underWay.get(stream);
      const work = earlier === undefined ? append(chain, stream, events, expected) : earlier.then(() => append(chain, stream, events, expected));
      const settled: Promise<unknown> = work.catch(() => undefined).then(() => underWay.get(stream) === settled && underWay.delete(stream));
      underWay.set(stream, settled);
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

/** What is known already is sent in the turn of the call, so that appends leave in the order in which they were asked for. */
async function append(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  if (events.length === 0) return chain.store.append(stream, events, { expected });
  const closing = events.some((event) => chain.closes(event).length > 0) ? await withErased(chain, events) : events;
  const isLoose = expected === 'any' || expected === 'stream_exists';
  if (isLoose && !chain.isOnlyWriter) return appendAnywhere(chain, stream, closing, expected);
  const place = known(chain, stream, expected) ?? (await lookUp(chain, stream, typeof expected === 'bigint' ? expected : undefined));
  return appendAt(chain, stream, closing, { expected, place });
}

const BEGINNING: Place = { revision: -1n, hash: null, isEnd: false };

function known({ heads, isOnlyWriter }: Chain, stream: string, expected: ExpectedRevision): Place | null {
  if (expected === 'no_stream') return BEGINNING;
  const head = heads.of(stream);
  if (head === null || (typeof expected === 'bigint' && head.revision !== expected)) return null;
  return { ...head, isEnd: isOnlyWriter };
}

/** From the store; at the end where no revision is given. Where nothing stands there, the store itself refuses the append or begins the stream. */
async function lookUp({ store, isOnlyWriter }: Chain, stream: string, revision?: Revision): Promise<Place> {
  const read = await store.read(stream, { direction: 'backward', limit: 1, ...(revision === undefined ? {} : { from: revision }) });
  const event = read.status === 'found' ? read.events[0] : undefined;
  if (read.status !== 'found' || event === undefined || (revision !== undefined && event.revision !== revision)) return BEGINNING;
  return { revision: event.revision, hash: hashOf(event), isEnd: isOnlyWriter && event.revision === read.revision };
}

type Where = { readonly expected: ExpectedRevision; readonly place: Place };

async function appendAt({ store, heads }: Chain, stream: string, events: readonly NewEvent[], { expected, place }: Where): Promise<AppendResult> {
  let previous = place.hash;
  const linked = events.map((event, index) => {
    const next: NewEvent = previous === null ? event : { ...event, metadata: { ...event.metadata, previousHash: previous } };
    if (index < events.length - 1) previous = hashOf({ ...next, stream });
    return next;
  });
  const appended = await store.append(stream, linked, { expected });
  // A repeat leaves what the first try wrote, with that one's time: its hash is not this one's.
  const isWritten = place.isEnd && appended.revision === place.revision + BigInt(events.length);
  const last = linked.at(-1);
  if (isWritten && last !== undefined) heads.note(stream, { revision: appended.revision, hash: hashOf({ ...last, stream }) });
  return appended;
}

/** Where others write, too: at exactly the revision that was found to be the last, until nobody comes between. */
async function appendAnywhere(chain: Chain, stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
  for (let tries = 1; ; tries += 1) {
    const read = await chain.store.read(stream, { direction: 'backward', limit: LOOK_BACK });
    const found = read.status === 'found' ? read.events : [];
    const isRepeat = found.some(({ id }) => id.toLowerCase() === events[0]?.id.toLowerCase());
    const [last] = found;
    // What is there already, and what cannot be, is the store's to say.
    if (isRepeat || read.status === 'deleted' || (last === undefined && expected === 'stream_exists')) return chain.store.append(stream, events, { expected });
    const place = last === undefined ? BEGINNING : { revision: last.revision, hash: hashOf(last), isEnd: false };
    try {
      return await appendAt(chain, stream, events, { expected: read.status === 'found' ? read.revision : 'no_stream', place });
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
