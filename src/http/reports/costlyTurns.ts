/** Reads that hold the event loop for tenths of a second, and megabytes of memory. */
import { setImmediate as nextRound } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Two, so that one whose store is slow to answer does not hold up all others. */
const turns = pLimit(2);

/** Serving a request takes about as many rounds of the event loop. */
const ROUNDS = 4;

/** The end of each owner's last read; of none that has no read waiting. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * The reads of one owner come one after another, so that only one of them is in memory, however many are waiting: `work`
 * reads everything itself, and what a read was given is held until its turn.
 */
export function oneByOne<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const read = (lastOf.get(owner) ?? Promise.resolve()).then(work);
  const forget = (): void => {
    if (lastOf.get(owner) === ended) lastOf.delete(owner);
  };
  const ended = read.then(forget, forget);
  lastOf.set(owner, ended);
  return read;
}

/**
 * Also few at once, and between two of them everybody else gets a turn. An owner's reads delay a read of another owner by
 * one of theirs at most.
 */
export function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  return oneByOne(owner, () =>
    turns(async () => {
      for (let round = 0; round < ROUNDS; round += 1) await nextRound();
      return work();
    }),
  );
}
