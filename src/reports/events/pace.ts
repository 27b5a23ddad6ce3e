/** Progress of reading the log, and the estimated time left. */
import type { Position } from '../../eventStore/eventStore.ts';

/** `done`: 0 to 1. `secondsLeft`: null while there is no estimate yet. */
export type Pace = { readonly done: number; readonly events: number; readonly secondsLeft: number | null };

/** No estimate before this time, in ms: the first pages are warm-up. */
const ESTIMATE_AFTER_MS = 1_000;

type Range = {
  /** Where this run started: earlier runs say nothing about its speed. */
  readonly from: Position;
  readonly to: Position;
  /** Monotonic, in ms. */
  readonly clock: () => number;
};

/** Based on positions, since the number of remaining events is unknown. */
export function measurePace({ from, to, clock }: Range): (position: Position, events: number) => Pace {
  const began = clock();
  const [first, whole] = [Number(from), Number(to) - Number(from)];
  return (position, events) => {
    const done = whole <= 0 ? 1 : Math.min(1, (Number(position) - first) / whole);
    const took = clock() - began;
    const hasEstimate = took >= ESTIMATE_AFTER_MS && done > 0;
    return { done, events, secondsLeft: hasEstimate ? Math.ceil((took * (1 - done)) / done / 1_000) : null };
  };
}
