/**
 * Long loops over a store let requests and timers in between, by the clock: the embedded stores answer without ever
 * leaving the current round of the event loop, and events and documents differ in size.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

/** How long a loop may go on before it lets others in, ms. */
const SLICE_MS = 6;

export type Pace = {
  /** A slice of time is used up. Loops of very many small steps ask before they wait. */
  readonly isDue: () => boolean;
  /** Between two steps of a loop, or of several side by side: lets others in if a slice of time is used up. */
  readonly pass: () => Promise<void>;
};

let last: Promise<void> = Promise.resolve();

/** Of all requests that wait, one goes on in each round of the event loop. */
function inTurn(): Promise<void> {
  last = last.then(() => nextRound());
  return last;
}

/**
 * `kind`: loops of requests take turns, however many there are; what runs once in a process goes on in every round.
 * `elapsed`: ms, monotonic.
 */
export function createPace(kind: 'request' | 'background', elapsed: () => number = () => performance.now()): Pace {
  let since = elapsed();
  let waiting: Promise<void> | null = null;
  const isDue = (): boolean => elapsed() - since >= SLICE_MS;
  return {
    isDue,
    pass: async () => {
      if (!waiting && !isDue()) return;
      waiting ??= (kind === 'request' ? inTurn() : nextRound()).then(() => {
        since = elapsed();
        waiting = null;
      });
      await waiting;
    },
  };
}
