/**
 * Events that do not name their predecessor, in a log in which others do. A process of an earlier version that wrote
 * next to a newer one leaves such events, and so does someone who removes a hash. They are told apart by later events:
 * the next event with a hash names its predecessor as it was then, so if that matches, it never had a hash. In a row of
 * several, the last one decides. If nothing follows, because it is the last of its stream, the event counts as left by
 * the earlier version if it lies in the log between others that are proven to be, or if a checkpoint knows it
 * unchanged. Everything else is a fault.
 */
import type { Position, RecordedEvent } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';

type Place = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly hash: string };

/** Consecutive events of a stream without a hash. */
type Run = { readonly first: Place; readonly last: Place; readonly events: number };

/** How many events, and the position of the first. */
export type Unsealed = { readonly events: number; readonly first: Position | null };

/** Runs without a successor yet; beyond this number the oldest is decided immediately. */
const MOST_PENDING = 20_000;

export function createUnsealed(mostPending = MOST_PENDING) {
  const pending = new Map<string, Run>();
  /** From the first to the last event that is proven to be of an earlier version. */
  const proven: { from: Position | null; to: Position | null } = { from: null, to: null };
  let events = 0;
  let first: Position | null = null;

  function count(run: Run): void {
    events += run.events;
    if (first === null || run.first.position < first) first = run.first.position;
  }

  const isAmongProven = ({ first: { position: begin }, last: { position: end } }: Run): boolean =>
    proven.from !== null && proven.to !== null && begin >= proven.from && end <= proven.to;

  function take(stream: string): Run | null {
    const run = pending.get(stream) ?? null;
    pending.delete(stream);
    return run;
  }

  return {
    /**
     * Adds an event without a hash that has a predecessor. Returns the fault of one that has waited too long for a
     * successor.
     */
    add(place: Place): Fault | null {
      const run = take(place.stream);
      pending.set(
        place.stream,
        run === null ? { first: place, last: place, events: 1 } : { ...run, last: place, events: run.events + 1 },
      );
      if (pending.size <= mostPending) return null;
      const oldest = take(pending.keys().next().value ?? '');
      if (oldest === null) return null;
      if (!isAmongProven(oldest)) return faultOf(oldest);
      count(oldest);
      return null;
    },
    /** The next event of the stream names the last one as it stands. */
    prove(stream: string): void {
      const run = take(stream);
      if (run === null) return;
      count(run);
      if (proven.from === null || run.first.position < proven.from) proven.from = run.first.position;
      if (proven.to === null || run.last.position > proven.to) proven.to = run.last.position;
    },
    /**
     * The next event of the stream does not match. `isReported`: the fault of the last event has already been reported.
     */
    breakOff(stream: string, isReported: boolean): Fault | null {
      const run = take(stream);
      return run === null || (isReported && run.events === 1) ? null : faultOf(run);
    },
    /** The stream was erased up to there. */
    forget: (stream: string) => void pending.delete(stream),
    /**
     * Call at the end of the log. `isKnown`: a checkpoint has an event with that hash. `isGone`: it was erased since.
     */
    async end(
      isKnown: (hash: string) => boolean,
      isGone: (place: Place) => Promise<boolean>,
    ): Promise<readonly Fault[]> {
      const faults: Fault[] = [];
      for (const run of pending.values()) {
        if (isAmongProven(run) || isKnown(run.last.hash)) count(run);
        else if (!(await isGone(run.last))) faults.push(faultOf(run));
      }
      pending.clear();
      return faults;
    },
    found: (): Unsealed => ({ events, first }),
  };
}

function faultOf({ first, events }: Run): Fault {
  const others = events === 1 ? '' : ` Neither ${events === 2 ? 'does the one' : `do the ${events - 1}`} behind it.`;
  return faultAt(
    first,
    'chain',
    `It does not name the event before it, as every event does since the chain began.${others}`,
  );
}
