/**
 * Reports that were folded stay in the memory of the process: who asks again, with another range or a minute later, waits only for what has come since. A run
 * that is broken off goes on from where it stood, so that however long it takes, it ends.
 */
import pLimit from 'p-limit';
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import type { AnyReport } from './report.ts';
import { type Folded, foldOn, type RunProgress, type Until, unfolded } from './run.ts';

/** Folded reports of past moments that stay, the last ones that were asked for; each for a while. */
const PAST_KEPT = 4;
const PAST_KEPT_MS = 10 * 60 * 1_000;
/** What a deletion erases from the log is gone soon after it: from then on it is in no report any more. */
const ERASED_AFTER_MS = 60 * 1_000;
const ERASING: readonly string[] = ['JobDeleted', 'JobsDeleted', 'AccountDeleted'];

export type Asked = {
  readonly report: AnyReport;
  readonly until: Until;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
};

export type KeptReports = {
  /** Folded up to now, or to the moment that is asked for. Not to be kept: it is read on. @throws the signal's reason; what the store throws */
  read(asked: Asked): Promise<Folded>;
};

type Kept = {
  folded: Folded;
  /** One reads on, the others wait and find it done. */
  readonly oneAtATime: ReturnType<typeof pLimit>;
  /** Up to where was looked for deletions. */
  lookedUpTo: Position;
  /** From then on (ms) it is folded anew; null: nothing was deleted since it was. */
  foldAnewAt: number | null;
  usedAt: number;
};

/** `now`: milliseconds. */
export function createKeptReports({ store, now }: { readonly store: Pick<EventStore, 'readAll' | 'head'>; readonly now: () => number }): KeptReports {
  const kept = new Map<string, Kept>();

  function find(report: AnyReport, until: Until): Kept {
    const key = `${report.name} ${until === null ? '' : 'at' in until ? until.at : until.position}`;
    const found = kept.get(key) ?? { folded: unfolded(report, until), oneAtATime: pLimit(1), lookedUpTo: START, foldAnewAt: null, usedAt: 0 };
    found.usedAt = now();
    kept.set(key, found);
    forgetOldest(found);
    return found;
  }

  /** None that somebody waits for: it would be begun anew, and however long it takes, never end. */
  function forgetOldest(wanted: Kept): void {
    const past = [...kept].filter(([, entry]) => entry.folded.until !== null && entry !== wanted).sort(([, one], [, other]) => other.usedAt - one.usedAt);
    const others = wanted.folded.until === null ? PAST_KEPT : PAST_KEPT - 1;
    for (const [nth, [key, { usedAt, oneAtATime }]] of past.entries()) {
      const isWaitedFor = oneAtATime.activeCount + oneAtATime.pendingCount > 0;
      if (!isWaitedFor && (nth >= others || now() - usedAt > PAST_KEPT_MS)) kept.delete(key);
    }
  }

  async function readOn(entry: Kept, { report, until, signal, onProgress }: Asked): Promise<Folded> {
    signal.throwIfAborted();
    if (entry.foldAnewAt !== null && now() >= entry.foldAnewAt) begin(entry, report, until);
    if (entry.folded.position === START) entry.lookedUpTo = await store.head();
    try {
      await foldOn(entry.folded, { store, signal, ...(onProgress ? { onProgress } : {}) });
    } catch (error) {
      // Perhaps in the middle of an event: nothing can be said of the state.
      if (!signal.aborted) begin(entry, report, until);
      throw error;
    }
    await lookForDeletions(entry);
    return entry.folded;
  }

  function begin(entry: Kept, report: AnyReport, until: Until): void {
    entry.folded = unfolded(report, until);
    entry.foldAnewAt = null;
  }

  async function lookForDeletions(entry: Kept): Promise<void> {
    const { events, next } = await store.readAll({ after: entry.lookedUpTo, limit: 1, filter: { types: ERASING } });
    entry.lookedUpTo = next;
    if (events.length > 0) entry.foldAnewAt ??= now() + ERASED_AFTER_MS;
  }

  return {
    read(asked) {
      const entry = find(asked.report, asked.until);
      return unlessAborted(
        asked.signal,
        entry.oneAtATime(() => readOn(entry, asked)),
      );
    },
  };
}

/** Also while it waits for its turn. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
