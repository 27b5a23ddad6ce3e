/** Reads that hold the event loop for tenths of a second, and megabytes of memory. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { createRecentKeys } from '../request/recentKeys.ts';

/** Two, so that one whose store is slow to answer does not hold up all others. */
const AT_ONCE = 2;

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

/** How long an owner's reads take is forgotten after so long, ms. */
const FORGOTTEN_MS = 60 * 60 * 1_000;
/** Assumed before the first one, ms: longer than most. */
const UNKNOWN_MS = 100;

/** `elapsed`: ms, monotonic. */
export function createTurns(elapsed: () => number) {
  /** How long an owner's reads take, ms; the last ones count most. */
  const lengths = createRecentKeys<number>(FORGOTTEN_MS);
  const waiting: { readonly owner: string; readonly begin: () => void }[] = [];
  let active = 0;

  const lengthOf = (owner: string): number => lengths.get(owner) ?? UNKNOWN_MS;

  function beginNext(): void {
    let next = 0;
    for (const [nth, { owner }] of waiting.entries())
      if (lengthOf(owner) < lengthOf(waiting[next]?.owner ?? '')) next = nth;
    const [chosen] = waiting.splice(next, 1);
    if (chosen) chosen.begin();
    else active -= 1;
  }

  /** Few at once, first those of the owner whose reads are shortest. */
  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    if (active < AT_ONCE) active += 1;
    else await new Promise<void>((begin) => waiting.push({ owner, begin }));
    const since = elapsed();
    try {
      for (let round = 0; round < ROUNDS; round += 1) await nextRound();
      return await work();
    } finally {
      lengths.set(owner, (lengthOf(owner) + elapsed() - since) / 2);
      beginNext();
    }
  };
}

const monotonic = (): number => performance.now();
const reads = createTurns(monotonic);
const lists = createTurns(monotonic);

/**
 * Also few at once, and between two of them everybody else gets a turn. However many owners of large audits read all the
 * time, the reads of a small one wait only for those under way.
 */
export function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  return oneByOne(owner, () => reads(owner, work));
}

/**
 * The same for a list with all that it shows, which may itself wait for reads in turn. `signal`: aborted when nobody
 * waits for it any more.
 */
export function listInTurn<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return oneByOne(`lists of ${owner}`, () =>
    lists(owner, async () => {
      signal.throwIfAborted();
      return work();
    }),
  );
}
