/** Each stream on its own: its revisions have no gaps, and each event names its predecessor. */
import { hashOf } from '../chain/eventHash.ts';
import type { EventStore, RecordedEvent } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';
import { createUnsealed } from './unsealed.ts';

export type Tail = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly hash: string };

export type ChainRules = {
  /** Whether the events before this one may have been erased. */
  readonly mayStandFirst: (event: RecordedEvent) => boolean;
  /** Streams whose last events are kept in memory; for others the previous event is read again. */
  readonly mostStreams?: number;
};

const MOST_STREAMS = 200_000;
const NONE: readonly Fault[] = [];

/** Takes the events of a log in order, as stored. */
export function createStreamChains(store: EventStore, { mayStandFirst, mostStreams = MOST_STREAMS }: ChainRules) {
  const tails = new Map<string, Tail>();
  const counts = { chained: 0 };
  const unsealed = createUnsealed();

  /** Whether the stream's own numbering shows that the event was erased, even if not yet cleaned up. */
  async function isErased({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): Promise<boolean> {
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
    if (before === undefined || before.revision !== event.revision - 1n || before.position >= event.position)
      return null;
    return { ...before, hash: hashOf(before) };
  }

  async function asFirst(event: RecordedEvent): Promise<readonly Fault[]> {
    unsealed.forget(event.stream);
    const isBeginning = event.revision === 0n && event.metadata.previousHash === undefined;
    if (isBeginning || mayStandFirst(event) || (await isErased(event))) return NONE;
    return [
      faultAt(event, 'chain', 'What stood before it in its stream is gone, and nothing says that it was erased.'),
    ];
  }

  async function asNext(event: RecordedEvent, hash: string, tail: Tail): Promise<readonly Fault[]> {
    if (event.revision !== tail.revision + 1n) return outOfPlace(event, tail.revision + 1n);
    const { previousHash } = event.metadata;
    if (previousHash === undefined)
      return counts.chained === 0 ? NONE : some(unsealed.add({ ...placeOf(event), hash }));
    if (previousHash === tail.hash) {
      unsealed.prove(event.stream);
      return NONE;
    }
    const text = `It is not what revision ${event.revision} was written on: one of the two was changed.`;
    return some(faultAt(tail, 'chain', text), unsealed.breakOff(event.stream, true));
  }

  async function outOfPlace(event: RecordedEvent, expected: bigint): Promise<readonly Fault[]> {
    if (await isErased(event)) {
      unsealed.forget(event.stream);
      return NONE;
    }
    const text =
      event.revision < expected
        ? `It stands where revision ${expected} of its stream belongs: it was put there, or moved.`
        : `Revisions ${expected} to ${event.revision - 1n} of its stream are missing before it.`;
    return some(faultAt(event, 'order', text), unsealed.breakOff(event.stream, false));
  }

  function keep(event: RecordedEvent, hash: string): void {
    tails.delete(event.stream);
    tails.set(event.stream, { ...placeOf(event), hash });
    if (tails.size > mostStreams) tails.delete(tails.keys().next().value ?? '');
  }

  return {
    counts: counts as Readonly<typeof counts>,
    async take(event: RecordedEvent, hash: string): Promise<readonly Fault[]> {
      const tail = await tailOf(event);
      const faults = tail === null ? await asFirst(event) : await asNext(event, hash, tail);
      if (event.metadata.previousHash !== undefined) counts.chained += 1;
      keep(event, hash);
      return faults;
    },
    /** Call at the end of the log. `isKnown`: a checkpoint has an event with that hash. */
    end: (isKnown: (hash: string) => boolean): Promise<readonly Fault[]> => unsealed.end(isKnown, isErased),
    unsealed: unsealed.found,
  };
}

const placeOf = ({ position, stream, type, revision }: RecordedEvent) => ({ position, stream, type, revision });

const some = (...faults: readonly (Fault | null)[]): readonly Fault[] => faults.filter((fault) => fault !== null);
