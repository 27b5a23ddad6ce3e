/**
 * Events that do not name the one before them, in a log in which others do. A process of an earlier version that wrote beside a newer one leaves such
 * events, and so does whoever takes a hash away. What tells them apart is what was written on them later: the next event with a hash names the one
 * before it as it stood then, so if that fits, it never had one. Several in a row are told by the last of them. Where nothing was written on one, as it
 * is the last of its stream, it counts as left by the earlier version if it stands in the log between others that are proven to be, or if a
 * checkpoint knows it as it is. All else is a fault.
 */
import type { Position, RecordedEvent } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';

type Place = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly hash: string };

/** Events without a hash that follow each other in a stream. */
type Run = { readonly first: Place; readonly last: Place; readonly events: number };

/** How many events, and where the first of them stands. */
export type Unsealed = { readonly events: number; readonly first: Position | null };

/** Runs that nothing was written on yet; of the oldest of more it is decided at once. */
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
    /** An event without a hash, in its place behind another one. Of one that has waited too long for what is written on it, the fault. */
    add(place: Place): Fault | null {
      const run = take(place.stream);
      pending.set(place.stream, run === null ? { first: place, last: place, events: 1 } : { ...run, last: place, events: run.events + 1 });
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
    /** What follows in the stream does not fit. `isTold`: that there is something wrong with the last of them is told already. */
    breakOff(stream: string, isTold: boolean): Fault | null {
      const run = take(stream);
      return run === null || (isTold && run.events === 1) ? null : faultOf(run);
    },
    /** The stream was erased up to there. */
    forget: (stream: string) => void pending.delete(stream),
    /** At the end of the log. `isKnown`: a checkpoint has an event of that hash. `isGone`: it was erased since. */
    async end(isKnown: (hash: string) => boolean, isGone: (place: Place) => Promise<boolean>): Promise<readonly Fault[]> {
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
  return faultAt(first, 'chain', `It does not name the event before it, as every event does since the chain began.${others}`);
}
