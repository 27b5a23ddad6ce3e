/**
 * Long reads let requests and timers in between: the embedded stores answer without ever leaving the current round of
 * the event loop.
 */
import { setImmediate as nextRound } from 'node:timers/promises';

/** How long a read may go on before it lets others in, ms. */
const SLICE_MS = 6;

let last: Promise<void> = Promise.resolve();

/** Waits for a round of the event loop. Of all that wait, one continues in each round. */
export function letOthersIn(): Promise<void> {
  last = last.then(() => nextRound());
  return last;
}

/** For each item of a long loop, or of several side by side: lets others in once a slice of time is used up. */
export function createPace(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  let waiting: Promise<void> | null = null;
  return async () => {
    if (!waiting && now() - since < SLICE_MS) return;
    waiting ??= letOthersIn().then(() => {
      since = now();
      waiting = null;
    });
    await waiting;
  };
}
