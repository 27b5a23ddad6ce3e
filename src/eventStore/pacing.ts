/**
 * Long loops over a store let requests and timers in between, by the clock: the embedded stores answer without ever
 * leaving the current round of the event loop, and events and documents differ in size.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

/** How long all loops together may go on before they let others in, ms. */
const SLICE_MS = 6;

export type Pace = {
  /** A slice of time is used up. Loops of very many small steps ask before they wait. */
  readonly isDue: () => boolean;
  /** Between two steps of a loop, or of several side by side: lets others in if a slice of time is used up. */
  readonly pass: () => Promise<void>;
};

/** `elapsed`: ms, monotonic. */
export function createPacing(elapsed: () => number) {
  /** When somebody first asked in this round of the event loop: all share its time. */
  let roundSince: number | null = null;
  let last: Promise<void> = Promise.resolve();

  function sinceRoundBegan(): number {
    const now = elapsed();
    if (roundSince === null) {
      roundSince = now;
      setImmediate(() => {
        roundSince = null;
      });
    }
    return now - roundSince;
  }

  /** Of all requests that wait, one goes on in each round. */
  function inTurn(): Promise<void> {
    last = last.then(() => nextRound());
    return last;
  }

  return (kind: 'request' | 'background'): Pace => {
    let waiting: Promise<void> | null = null;
    // What comes before the first question counts, too.
    sinceRoundBegan();
    const isDue = (): boolean => sinceRoundBegan() >= SLICE_MS;
    return {
      isDue,
      pass: async () => {
        if (!waiting && !isDue()) return;
        waiting ??= (kind === 'request' ? inTurn() : nextRound()).then(() => {
          waiting = null;
          sinceRoundBegan();
        });
        await waiting;
      },
    };
  };
}

/** Loops of requests take turns, however many there are; what runs once in a process goes on in every round. */
export const createPace = createPacing(() => performance.now());
