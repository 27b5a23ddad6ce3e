/** Watchers of changes, independent of any database: notified after each commit, each at its own pace. */
import { createPace, type Pace } from '../eventStore/pacing.ts';
import { createChangeQueue, type Pending } from './changeQueue.ts';
import { matches, type ParsedCondition } from './conditions.ts';
import type { Change, Position } from './readModels.ts';

/** Changes queued individually for one slow watcher before they are merged. */
const QUEUE_LIMIT = 1000;

/** A document's current state in the store. */
export type CurrentState = {
  readonly position: Position;
  readonly data: object | null;
  readonly tombstone: object | null;
};

type WatcherOptions = {
  readonly models: readonly string[];
  readonly conditions: readonly ParsedCondition[];
  readonly signal?: AbortSignal | undefined;
  /** For changes queued by name only. Null: the document is absent. */
  readonly read: (model: string, id: string) => CurrentState | null | Promise<CurrentState | null>;
  /** Until then more changes may be missing: the watcher has not caught up. Default: immediately. */
  readonly begun?: Promise<unknown> | undefined;
  readonly queueLimit?: number | undefined;
  readonly after?: Position | undefined;
  readonly onCaughtUp?: (() => void) | undefined;
  readonly onEnd?: () => unknown;
};

export type Watcher = AsyncIterable<Change> & {
  /** The position it has already seen; changes up to there are not delivered. */
  readonly after: Position;
  readonly models: readonly string[];
  push(change: Change): void;
  pushName(model: string, id: string, position: Position): void;
  /** Ends it: its consumer gets the error instead of what is left. */
  fail(error: unknown): void;
};

export type Watchers = {
  add(options: WatcherOptions): Watcher;
  /** The watchers of the model. */
  of(model: string): readonly Watcher[];
  readonly size: number;
  close(): void;
};

export function createWatchers(): Watchers {
  const ends = new Map<Watcher, () => void>();
  return {
    add: (options) => {
      const { watcher, end } = createWatcher(options, () => {
        ends.delete(watcher);
        options.onEnd?.();
      });
      ends.set(watcher, end);
      if (options.signal?.aborted) end();
      return watcher;
    },
    of: (model) => [...ends.keys()].filter((watcher) => watcher.models.includes(model)),
    get size() {
      return ends.size;
    },
    close: () => {
      for (const end of [...ends.values()]) end();
    },
  };
}

function createWatcher(options: WatcherOptions, onEnd: () => void): { watcher: Watcher; end: () => void } {
  const queue = createChangeQueue(options.queueLimit ?? QUEUE_LIMIT);
  /** While several changes are waiting: its consumer may take thousands of them one after the other. */
  let pace: Pace | null = null;
  let ended = false;
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;

  function notify(): void {
    wake?.();
    wake = null;
  }
  function end(): void {
    if (ended) return;
    ended = true;
    options.signal?.removeEventListener('abort', end);
    onEnd();
    notify();
  }
  options.signal?.addEventListener('abort', end, { once: true });
  let begun = options.begun === undefined;
  void options.begun?.then(() => {
    begun = true;
    notify();
  });
  let notified = false;
  function caughtUp(): void {
    if (notified || !begun) return;
    notified = true;
    options.onCaughtUp?.();
  }

  /** A consumer does not resume iterating after an error. */
  function giveUp(error: unknown): never {
    end();
    throw error;
  }

  async function next(): Promise<IteratorResult<Change, undefined>> {
    while (!ended || failure) {
      if (failure) {
        const { error } = failure;
        failure = null;
        throw error;
      }
      if (queue.size > 0 && pace?.isDue()) await pace.pass();
      const pending = queue.shift();
      const change = pending && (pending.change ?? (await newestState(pending, options).catch(giveUp)));
      if (change && !ended) return { done: false, value: change };
      if (pending) pace ??= createPace('background');
      else {
        pace = null;
        caughtUp();
        if (!ended) await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return { done: true, value: undefined };
  }

  const watcher: Watcher = {
    models: options.models,
    after: options.after ?? '',
    push: (change) => {
      const seen = filtered(change, options.conditions);
      if (seen) queue.push(seen);
      notify();
    },
    pushName: (model, id, position) => {
      queue.pushName(model, id, position);
      notify();
    },
    fail: (error) => {
      if (ended) return;
      failure = { error };
      end();
    },
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        end();
        return { done: true, value: undefined };
      },
    }),
  };
  return { watcher, end };
}

/** Reads the state for a change queued by its document's name. */
async function newestState(pending: Pending, options: WatcherOptions): Promise<Change | null> {
  const { model, id } = pending;
  const now = await options.read(model, id);
  // Changed again since: that change is further back in the queue, where it does not overtake others.
  if (!now || now.position > pending.position) return null;
  const shown = now.data ?? now.tombstone;
  if (options.conditions.length > 0 && !(shown && matches(options.conditions, shown, now.position))) return null;
  return {
    model,
    id,
    kind: now.data ? 'UPDATE' : 'DELETE',
    data: now.data,
    old: now.data ? null : now.tombstone,
    position: now.position,
  };
}

/**
 * The change as seen through the filter: a document that stops matching is deleted, one that starts matching is
 * inserted.
 */
function filtered(change: Change, conditions: readonly ParsedCondition[]): Change | null {
  if (conditions.length === 0) return change;
  const before = change.old !== null && matches(conditions, change.old, change.position);
  const after = change.data !== null && matches(conditions, change.data, change.position);
  if (before && !after) return { ...change, kind: 'DELETE', data: null };
  if (!before && after) return { ...change, kind: 'INSERT', old: null };
  return before && after ? change : null;
}
