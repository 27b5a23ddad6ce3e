/**
 * Keeps folded reports in memory, so that asking again with another range or a minute later only reads what has been
 * added. An aborted run resumes where it stopped, so it finishes eventually, however long it takes. Reports up to now
 * are also saved next to the read models, for processes that restart. Memory is bounded by number, by time and by
 * bytes.
 */
import pLimit from 'p-limit';
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import { erasingTypes, firstAfter, newestOf } from './erasures.ts';
import type { AnyReport } from './report.ts';
import { type Folded, foldOn, type RunProgress, type Until, unfolded } from './run.ts';
import type { SavedStates } from './state/savedStates.ts';
import { stateBytes } from './state/stateBytes.ts';

/** Number of most recently used reports on past moments that are kept, each for a limited time. */
const PAST_KEPT = 4;
const PAST_KEPT_MS = 10 * 60 * 1_000;
/** Reports up to now are kept this long after their last use, in ms: the largest take hundreds of megabytes. */
const NOW_KEPT_MS = 60 * 60 * 1_000;
/** All of them together may take this many bytes; beyond that, those used longest ago go first. */
const BYTES_KEPT = 256 * 1024 * 1024;
/**
 * Events of a deleted item are erased soon after the deletion, so the report is refolded after this delay, in ms. If
 * the erasure is still pending, check again after the same delay.
 */
const ERASED_AFTER_MS = 60 * 1_000;
/** A state is saved once this many events were added since the last save … */
const GROWN_BY = 1_000;
/** … and this share of all its events, so that saving a long one stays a small part of the work. */
const GROWN_BY_PART = 1 / 20;

export type ReadRequest = {
  readonly report: AnyReport;
  readonly until: Until;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
};

export type KeptReports = {
  /**
   * Folded up to now, or up to the requested moment. Do not hold on to the result: it is updated in place. @throws the
   * signal's reason, or what the store throws
   */
  read(asked: ReadRequest): Promise<Folded>;
  /** Resolves when all reads and saves have finished. */
  settled(): Promise<void>;
};

type Kept = {
  folded: Folded;
  /** One caller folds; the others wait and find it done. */
  readonly oneAtATime: ReturnType<typeof pLimit>;
  /** Deletions have been looked for up to here. */
  lookedUpTo: Position;
  /** Time (ms) from which it must be refolded; null if nothing has been deleted since it was folded. */
  refoldAt: number | null;
  usedAt: number;
  /** Number of events in the saved state; null if none has been looked for yet. */
  savedEvents: number | null;
  /** About how much memory the state took when it had this many events. */
  measured: { readonly events: number; readonly bytes: number };
};

/**
 * `now`: milliseconds. `isErasing`: whether any erasure is still pending; by default none is. `saved`: without it,
 * nothing outlives the process. `onFailure`: called for errors with saved states. `mostBytes`: of all states in memory.
 */
export type KeptReportsParts = {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly now: () => number;
  readonly isErasing?: () => Promise<boolean>;
  readonly saved?: SavedStates;
  readonly onFailure?: (error: unknown) => void;
  readonly grownBy?: number;
  readonly mostBytes?: number;
};

export function createKeptReports(parts: KeptReportsParts): KeptReports {
  const { store, now, isErasing, saved, onFailure, grownBy = GROWN_BY, mostBytes = BYTES_KEPT } = parts;
  const kept = new Map<string, Kept>();

  function find(report: AnyReport, until: Until): Kept {
    const key = `${report.name} ${until === null ? '' : 'at' in until ? until.at : until.position}`;
    const nothing = {
      lookedUpTo: START,
      refoldAt: null,
      usedAt: 0,
      savedEvents: null,
      measured: { events: 0, bytes: 0 },
    };
    const found = kept.get(key) ?? { folded: unfolded(report, until), oneAtATime: pLimit(1), ...nothing };
    found.usedAt = now();
    kept.set(key, found);
    forgetOldest(found);
    return found;
  }

  /** Skips those being waited for: they would start over and, if slow enough, never finish. */
  function forgetOldest(wanted: Kept): void {
    const past = [...kept]
      .filter(([, entry]) => entry.folded.until !== null && entry !== wanted)
      .sort(([, one], [, other]) => other.usedAt - one.usedAt);
    const others = wanted.folded.until === null ? PAST_KEPT : PAST_KEPT - 1;
    for (const [nth, [key, entry]] of past.entries()) {
      if (!isWaitedFor(entry) && (nth >= others || now() - entry.usedAt > PAST_KEPT_MS)) kept.delete(key);
    }
    for (const [key, entry] of kept) {
      if (entry.folded.until === null && !isWaitedFor(entry) && now() - entry.usedAt > NOW_KEPT_MS) kept.delete(key);
    }
  }

  async function readOn(entry: Kept, { report, signal, onProgress }: ReadRequest): Promise<Folded> {
    signal.throwIfAborted();
    if (entry.savedEvents === null) await goOnFromSaved(entry, report);
    const read = async (): Promise<void> => {
      if (isDue(entry)) await forget(entry);
      if (entry.folded.position === START) await begin(entry);
      try {
        await foldOn(entry.folded, { store, signal, ...(onProgress ? { onProgress } : {}) });
      } catch (error) {
        // The failure may be in the middle of an event, so the state cannot be trusted.
        if (!signal.aborted) entry.folded = unfolded(report, entry.folded.until);
        throw error;
      }
      await checkForDeletions(entry);
    };
    await read();
    // Events in a saved state may have been erased long ago.
    if (isDue(entry)) await read();
    return entry.folded;
  }

  /** Also removes the saved state, which would block saving the shorter refolded one. */
  async function forget(entry: Kept): Promise<void> {
    const { report, until } = entry.folded;
    entry.folded = unfolded(report, until);
    entry.savedEvents = 0;
    if (until === null) await saved?.forget(report).catch((error: unknown) => onFailure?.(error));
  }

  const isDue = ({ refoldAt }: Kept): boolean => refoldAt !== null && now() >= refoldAt;
  const erasedAt = (deletedAt: string | null): number | null =>
    deletedAt === null ? null : Math.min(now(), Date.parse(deletedAt)) + ERASED_AFTER_MS;

  /** Events of something just deleted may still be readable now and erased a moment later. */
  async function begin(entry: Kept): Promise<void> {
    const types = erasingTypes(entry.folded.report.types);
    entry.lookedUpTo = await store.head();
    const erased = erasedAt(await newestOf(store, types));
    const isSoon = erased !== null && erased > now();
    // The erasure may be stalled for longer.
    entry.refoldAt = isSoon ? erased : erased !== null && (await isErasing?.()) ? now() + ERASED_AFTER_MS : null;
  }

  async function checkForDeletions(entry: Kept): Promise<void> {
    const types = erasingTypes(entry.folded.report.types);
    const { at, next } = await firstAfter(store, types, entry.lookedUpTo);
    entry.lookedUpTo = next;
    entry.refoldAt ??= erasedAt(at);
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

  /** A state that may still contain events being erased is never saved. */
  async function saveGrown(entry: Kept): Promise<void> {
    const { folded, lookedUpTo, refoldAt, savedEvents } = entry;
    if (!saved || folded.until !== null || refoldAt !== null) return;
    if (folded.events - (savedEvents ?? 0) < Math.max(grownBy, folded.events * GROWN_BY_PART)) return;
    // Set even if saving fails: the next attempt is due after the same growth.
    entry.savedEvents = folded.events;
    await saved.save({ folded, lookedUpTo }).catch((error: unknown) => onFailure?.(error));
  }

  return {
    read(asked) {
      const entry = find(asked.report, asked.until);
      const read = entry.oneAtATime(() => readOn(entry, asked));
      // After the response. An aborted read leaves a state, too.
      const after = (isRead: boolean) =>
        entry.oneAtATime(async () => {
          forgetBeyondBytes(kept, entry, mostBytes);
          if (isRead) await saveGrown(entry);
        });
      void read.then(
        () => after(true),
        () => after(false),
      );
      return unlessAborted(asked.signal, read);
    },
    async settled() {
      await Promise.all([...kept.values()].map(({ oneAtATime }) => oneAtATime(() => undefined)));
    },
  };
}

const isWaitedFor = ({ oneAtATime }: Kept): boolean => oneAtATime.activeCount + oneAtATime.pendingCount > 0;

/**
 * Estimates the state that was just used once it has grown noticeably. A single state may be larger than the limit: it
 * stays until another one is used.
 */
function forgetBeyondBytes(kept: Map<string, Kept>, used: Kept, mostBytes: number): void {
  const { events, state } = used.folded;
  if (Math.abs(events - used.measured.events) > used.measured.events * GROWN_BY_PART)
    used.measured = { events, bytes: stateBytes(state) };
  let bytes = [...kept.values()].reduce((sum, { measured }) => sum + measured.bytes, 0);
  const others = [...kept]
    .filter(([, entry]) => entry !== used)
    .sort(([, one], [, other]) => one.usedAt - other.usedAt);
  for (const [key, entry] of others) {
    if (bytes <= mostBytes) return;
    if (isWaitedFor(entry)) continue;
    kept.delete(key);
    bytes -= entry.measured.bytes;
  }
}

/** Also rejects while waiting in the queue. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
