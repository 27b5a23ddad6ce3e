/** How far a reading of the log has come, and how long the rest takes at the pace so far. */
import type { Position } from '../../eventStore/eventStore.ts';

/** `done`: 0 to 1. `secondsLeft`: null before anything can be said. */
export type Pace = { readonly done: number; readonly events: number; readonly secondsLeft: number | null };

/** Before that nothing is said of the time that is left: the first pages warm up, ms. */
const SAID_AFTER_MS = 1_000;

type Range = {
  /** Where this run began: what an earlier one did says nothing of how fast this one is. */
  readonly from: Position;
  readonly to: Position;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
};

/** By positions, as nobody knows how many events are left. */
export function createPace({ from, to, clock }: Range): (position: Position, events: number) => Pace {
  const began = clock();
  const [first, whole] = [Number(from), Number(to) - Number(from)];
  return (position, events) => {
    const done = whole <= 0 ? 1 : Math.min(1, (Number(position) - first) / whole);
    const took = clock() - began;
    const isSaid = took >= SAID_AFTER_MS && done > 0;
    return { done, events, secondsLeft: isSaid ? Math.ceil((took * (1 - done)) / done / 1_000) : null };
  };
}
