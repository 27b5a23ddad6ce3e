/** Reads that hold the event loop for tenths of a second. */
import { setImmediate as nextRound } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Two, so that one whose store is slow to answer does not hold up all others. */
const turns = pLimit(2);

/** Serving a request takes about as many rounds of the event loop. */
const ROUNDS = 4;

/** Few at once, and between two of them everybody else gets a turn, however many are waiting. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return turns(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await nextRound();
    return work();
  });
}
