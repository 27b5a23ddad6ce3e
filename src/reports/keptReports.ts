/**
 * Reports that were folded stay in the memory of the process: who asks again, with another range or a minute later, waits only for what has come since. A run
 * that is broken off goes on from where it stood, so that however long it takes, it ends. What is folded up to now is saved beside the read models, too, for
 * processes that start anew.
 */
import pLimit from 'p-limit';
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import { erasingTypes, firstAfter, newestOf } from './erasures.ts';
import type { AnyReport } from './report.ts';
import { type Folded, foldOn, type RunProgress, type Until, unfolded } from './run.ts';
import type { SavedStates } from './savedStates.ts';

/** Folded reports of past moments that stay, the last ones that were asked for; each for a while. */
const PAST_KEPT = 4;
const PAST_KEPT_MS = 10 * 60 * 1_000;
/** What a deletion erases from the log is gone soon after it: from then on it is in no report any more. Where it is not, it is looked for again as late. */
const ERASED_AFTER_MS = 60 * 1_000;
/** A state is saved when so many events came since the last one … */
const GROWN_BY = 1_000;
/** … and so many of all, so that saving a long one stays a small part of the work. */
const GROWN_BY_PART = 1 / 20;

export type Asked = {
  readonly report: AnyReport;
  readonly until: Until;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
};

export type KeptReports = {
  /** Folded up to now, or to the moment that is asked for. Not to be kept: it is read on. @throws the signal's reason; what the store throws */
  read(asked: Asked): Promise<Folded>;
  /** Resolves when nothing is read or saved any more. */
  settled(): Promise<void>;
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
  /** Events of the state that is saved; null: nobody has looked for one yet. */
  savedEvents: number | null;
};

/**
 * `now`: milliseconds. `isErasing`: whether something that was deleted is still to be erased; without it, nothing is. `saved`: none outlives the process without
 * it. `onFailure`: of what is saved.
 */
export type KeptReportsParts = {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly now: () => number;
  readonly isErasing?: () => Promise<boolean>;
  readonly saved?: SavedStates;
  readonly onFailure?: (error: unknown) => void;
  readonly grownBy?: number;
};

export function createKeptReports({ store, now, isErasing, saved, onFailure, grownBy = GROWN_BY }: KeptReportsParts): KeptReports {
  const kept = new Map<string, Kept>();

  function find(report: AnyReport, until: Until): Kept {
    const key = `${report.name} ${until === null ? '' : 'at' in until ? until.at : until.position}`;
    const nothing = { lookedUpTo: START, foldAnewAt: null, usedAt: 0, savedEvents: null };
    const found = kept.get(key) ?? { folded: unfolded(report, until), oneAtATime: pLimit(1), ...nothing };
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

  async function readOn(entry: Kept, { report, signal, onProgress }: Asked): Promise<Folded> {
    signal.throwIfAborted();
    if (entry.savedEvents === null) await goOnFromSaved(entry, report);
    const read = async (): Promise<void> => {
      if (isDue(entry)) await forget(entry);
      if (entry.folded.position === START) await begin(entry);
      try {
        await foldOn(entry.folded, { store, signal, ...(onProgress ? { onProgress } : {}) });
      } catch (error) {
        // Perhaps in the middle of an event: nothing can be said of the state.
        if (!signal.aborted) entry.folded = unfolded(report, entry.folded.until);
        throw error;
      }
      await lookForDeletions(entry);
    };
    await read();
    // Of a saved state what was erased may long be gone.
    if (isDue(entry)) await read();
    return entry.folded;
  }

  /** What was saved, too: it would stand in the way of what is folded anew, which goes no further. */
  async function forget(entry: Kept): Promise<void> {
    const { report, until } = entry.folded;
    entry.folded = unfolded(report, until);
    entry.savedEvents = 0;
    if (until === null) await saved?.forget(report).catch((error: unknown) => onFailure?.(error));
  }

  const isDue = ({ foldAnewAt }: Kept): boolean => foldAnewAt !== null && now() >= foldAnewAt;
  const erasedAt = (deletedAt: string | null): number | null => (deletedAt === null ? null : Math.min(now(), Date.parse(deletedAt)) + ERASED_AFTER_MS);

  /** What was deleted a moment ago may still be read, and gone a moment later. */
  async function begin(entry: Kept): Promise<void> {
    const types = erasingTypes(entry.folded.report.types);
    entry.lookedUpTo = await store.head();
    const erased = erasedAt(await newestOf(store, types));
    const isSoon = erased !== null && erased > now();
    // Whoever erases may stand still for longer.
    entry.foldAnewAt = isSoon ? erased : erased !== null && (await isErasing?.()) ? now() + ERASED_AFTER_MS : null;
  }

  async function lookForDeletions(entry: Kept): Promise<void> {
    const types = erasingTypes(entry.folded.report.types);
    const { at, next } = await firstAfter(store, types, entry.lookedUpTo);
    entry.lookedUpTo = next;
    entry.foldAnewAt ??= erasedAt(at);
  }

  async function goOnFromSaved(entry: Kept, report: AnyReport): Promise<void> {
    entry.savedEvents = 0;
    if (!saved || entry.folded.until !== null) return;
    try {
      const found = await saved.load(report);
      if (found) Object.assign(entry, { ...found, savedEvents: found.folded.events });
    } catch (error) {
      onFailure?.(error);
    }
  }

  /** After the answer. One in which something may still stand that is being erased is for this process alone. */
  async function saveGrown(entry: Kept): Promise<void> {
    const { folded, lookedUpTo, foldAnewAt, savedEvents } = entry;
    if (!saved || folded.until !== null || foldAnewAt !== null) return;
    if (folded.events - (savedEvents ?? 0) < Math.max(grownBy, folded.events * GROWN_BY_PART)) return;
    // Also when it fails: the next one is due when as much has come again.
    entry.savedEvents = folded.events;
    await saved.save({ folded, lookedUpTo }).catch((error: unknown) => onFailure?.(error));
  }

  return {
    read(asked) {
      const entry = find(asked.report, asked.until);
      const read = entry.oneAtATime(() => readOn(entry, asked));
      void read.then(
        () => entry.oneAtATime(() => saveGrown(entry)),
        () => undefined,
      );
      return unlessAborted(asked.signal, read);
    },
    async settled() {
      await Promise.all([...kept.values()].map(({ oneAtATime }) => oneAtATime(() => undefined)));
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
