/** Each stream by itself: its revisions without a gap, each event written on the one before it. */
import { hashOf } from '../chain/eventHash.ts';
import type { EventStore, RecordedEvent } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';

export type Tail = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly hash: string };

export type ChainRules = {
  /** Whether what stood before the event may have been erased. */
  readonly mayStandFirst: (event: RecordedEvent) => boolean;
  /** Streams whose last events are kept in memory; of others the event before is read again. */
  readonly mostStreams?: number;
};

const MOST_STREAMS = 200_000;

/** Takes the events of a log in its order, as they are stored. */
export function createStreamChains(store: EventStore, { mayStandFirst, mostStreams = MOST_STREAMS }: ChainRules) {
  const tails = new Map<string, Tail>();
  const counts = { chained: 0, isChained: false };

  /** What the stream's own numbering says of what it lost: erased, and perhaps not yet cleaned up. */
  async function isErased({ stream, revision }: RecordedEvent): Promise<boolean> {
    const read = await store.read(stream, { limit: 1 });
    if (read.status !== 'found') return true;
    const first = read.events[0];
    return first !== undefined && first.revision > revision;
  }

  async function tailOf(event: RecordedEvent): Promise<Tail | null> {
    const known = tails.get(event.stream);
    if (known !== undefined || event.revision === 0n) return known ?? null;
    const read = await store.read(event.stream, { from: event.revision - 1n, direction: 'backward', limit: 1 });
    const before = read.status === 'found' ? read.events[0] : undefined;
    if (before === undefined || before.revision !== event.revision - 1n || before.position >= event.position) return null;
    return { ...before, hash: hashOf(before) };
  }

  async function asFirst(event: RecordedEvent): Promise<Fault | null> {
    const isBeginning = event.revision === 0n && event.metadata.previousHash === undefined;
    if (isBeginning || mayStandFirst(event) || (await isErased(event))) return null;
    return faultAt(event, 'chain', 'What stood before it in its stream is gone, and nothing says that it was erased.');
  }

  async function asNext(event: RecordedEvent, tail: Tail): Promise<Fault | null> {
    const expected = tail.revision + 1n;
    if (event.revision !== expected) {
      if (await isErased(event)) return null;
      const text =
        event.revision < expected
          ? `It stands where revision ${expected} of its stream belongs: it was put there, or moved.`
          : `Revisions ${expected} to ${event.revision - 1n} of its stream are missing before it.`;
      return faultAt(event, 'order', text);
    }
    const { previousHash } = event.metadata;
    if (previousHash === undefined)
      return counts.isChained ? faultAt(event, 'chain', 'It does not name the event before it, as every event does since the chain began.') : null;
    if (previousHash === tail.hash) return null;
    return faultAt(tail, 'chain', `It is not what revision ${event.revision} was written on: one of the two was changed.`);
  }

  function keep(event: RecordedEvent, hash: string): void {
    tails.delete(event.stream);
    tails.set(event.stream, { position: event.position, stream: event.stream, type: event.type, revision: event.revision, hash });
    if (tails.size > mostStreams) tails.delete(tails.keys().next().value ?? '');
  }

  return {
    counts: counts as Readonly<typeof counts>,
    async take(event: RecordedEvent, hash: string): Promise<Fault | null> {
      const tail = await tailOf(event);
      const fault = tail === null ? await asFirst(event) : await asNext(event, tail);
      if (event.metadata.previousHash !== undefined) {
        counts.chained += 1;
        counts.isChained = true;
      }
      keep(event, hash);
      return fault;
    },
  };
}
