/** Group commit: writes requested at the same time share one transaction and one disk flush. */
import { EventStoreError } from '../eventStore.ts';
import type { EventDatabase } from './sqliteFile.ts';

/**
 * Runs `work` inside a transaction and resolves with its result once that is durable. Work checks before it writes: if
 * it throws an EventStoreError it must have written nothing, because the others in its group continue.
 */
export type Submit = <T>(work: () => T, options?: { readonly erase?: boolean }) => Promise<T>;

export type Writer = { readonly submit: Submit /** Commits pending writes immediately. */; readonly flush: () => void };

export type WriterEvents = {
  /** After a commit, before its callers get their results. */
  readonly committed: () => void;
  /** The transaction was rolled back: anything remembered from within it must be discarded. */
  readonly rolledBack: () => void;
  /** Translates a driver error into the port's terms. */
  readonly explain: (error: unknown) => unknown;
};

type Waiting = {
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
  readonly erase: boolean;
};

/** Bounds how long one group blocks the thread. */
const LARGEST_GROUP = 500;

export function createWriter(db: EventDatabase, events: WriterEvents): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const truncateLog = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let waiting: Waiting[] = [];
  let scheduled = false;

  function commitGroup(group: readonly Waiting[]): void {
    try {
      begin.run();
      for (const one of group) one.run();
      commit.run();
    } catch (error) {
      undo();
      events.rolledBack();
      const explained = events.explain(error);
      for (const one of group) one.fail(explained);
      return;
    }
    let erased: unknown = null;
    // Deleted data is overwritten in the file only at a checkpoint of the WAL, and leaves the WAL when that is
    // truncated.
    if (group.some((one) => one.erase)) erased = emptyWal();
    events.committed();
    for (const one of group) {
      if (one.erase && erased !== null) one.fail(erased);
      else one.settle();
    }
  }

  function undo(): void {
    try {
      if (db.inTransaction) rollback.run();
    } catch {
      // The disk failed twice. The next group cannot begin then, and reports it.
    }
  }

  function emptyWal(): unknown {
    try {
      truncateLog.all();
      return null;
    } catch (error) {
      return events.explain(error);
    }
  }

  function flush(): void {
    scheduled = false;
    const group = waiting.length <= LARGEST_GROUP ? waiting : waiting.slice(0, LARGEST_GROUP);
    waiting = waiting.length <= LARGEST_GROUP ? [] : waiting.slice(LARGEST_GROUP);
    if (group.length > 0) commitGroup(group);
    if (waiting.length > 0) schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // Deferred, so that everything else requested in this turn of the event loop joins the group.
    setImmediate(flush);
  }

  return {
    submit: (work, options) =>
      new Promise((resolve, reject) => {
        waiting.push(entry(work, resolve, reject, options?.erase ?? false));
        schedule();
      }),
    flush() {
      while (waiting.length > 0) flush();
    },
  };
}

function entry<T>(
  work: () => T,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
  erase: boolean,
): Waiting {
  let settle: () => void = () => undefined;
  return {
    run() {
      try {
        const result = work();
        settle = () => resolve(result);
      } catch (error) {
        if (!(error instanceof EventStoreError)) throw error;
        settle = () => reject(error);
      }
    },
    settle: () => settle(),
    fail: reject,
    erase,
  };
}
