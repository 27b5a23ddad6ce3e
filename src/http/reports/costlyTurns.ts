/** Reads that hold the event loop for tenths of a second. */
import { setImmediate as nextRound } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Two, so that one whose store is slow to answer does not hold up all others. */
const turns = pLimit(2);

/** Serving a request takes about as many rounds of the event loop. */
const ROUNDS = 4;

/** The end of each owner's last read; of none that has no read waiting. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Few at once, and between two of them everybody else gets a turn, however many are waiting. Those of one owner come
 * one after another, so that they delay a read of another owner by one of theirs at most.
 */
export function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const read = (lastOf.get(owner) ?? Promise.resolve()).then(() =>
    turns(async () => {
      for (let round = 0; round < ROUNDS; round += 1) await nextRound();
      return work();
    }),
  );
  const forget = (): void => {
    if (lastOf.get(owner) === ended) lastOf.delete(owner);
  };
  const ended = read.then(forget, forget);
  lastOf.set(owner, ended);
  return read;
}
