/** Runs followers on the events of a log one by one, without the product's loop. */
import { type EventStore, START } from '../../../src/eventStore/eventStore.ts';
import type { Marks } from '../../../src/readModels/claims.ts';
import type { Follower } from '../../../src/work/follower.ts';
import type { ReadAsOf } from '../../../src/work/known.ts';
import type { ManualClock } from '../manualClock.ts';

export const still = new AbortController().signal;

/** From the start of the log to its end, including resulting events. */
export async function followLog(store: EventStore, follower: Follower): Promise<void> {
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: 1, filter: { types: follower.types } });
    for (const event of page.events) await follower.follow(event, still);
    if (page.end && page.events.length === 0) return;
    after = page.next;
  }
}

/** Read models that have reached every position, or none. */
export const asOfIf =
  (reached: boolean): ReadAsOf =>
  async (_position, read) =>
    reached ? { answer: await read() } : null;

/** Sleeps as long as the test's clock says, or until the signal aborts. */
export const sleepOn =
  ({ timer }: ManualClock) =>
  (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        stop();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const stop = timer(ms, wake);
      signal.addEventListener('abort', wake);
    });

/** Marks for a test, which also record the writes. */
export function givenMarks(
  given: Readonly<Record<string, string>> = {},
): Marks & { readonly kept: Map<string, string>; readonly writes: [string, string][] } {
  const kept = new Map(Object.entries(given));
  const writes: [string, string][] = [];
  return {
    kept,
    writes,
    read: async (name) => kept.get(name) ?? null,
    write: async (name, value) => {
      writes.push([name, value]);
      kept.set(name, value);
    },
    writeFirst: async (name, value) => {
      if (!kept.has(name)) kept.set(name, value);
      return kept.get(name) ?? value;
    },
    remove: async (name) => void kept.delete(name),
  };
}
