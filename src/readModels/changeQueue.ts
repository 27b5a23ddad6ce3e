/** Changes not yet delivered to one watcher, in commit order and bounded memory, however slow the watcher is. */
import type { Change, Position } from './readModels.ts';

/** A change, or only the document's name: its newest state is then read on delivery. */
export type Pending = {
  readonly model: string;
  readonly id: string;
  readonly position: Position;
  readonly change: Change | null;
};

export type ChangeQueue = {
  push(change: Change): void;
  /** The document changed in some way; its state is read on delivery. */
  pushName(model: string, id: string, position: Position): void;
  shift(): Pending | undefined;
  readonly size: number;
};

/**
 * Up to `limit` changes are queued individually. Beyond that, changes to one document are merged into its newest, at
 * the end of the queue (so that positions are still delivered in order), and those that no longer fit keep only their
 * name. Merging continues until the queue has been empty once.
 */
export function createChangeQueue(limit: number): ChangeQueue {
  let waiting = new Map<string, Pending>();
  let merging = false;
  let sequence = 0;

  function add(pending: Pending): void {
    if (!merging && waiting.size >= limit) {
      const all = [...waiting.values()];
      waiting = new Map();
      merging = true;
      all.forEach(merge);
    }
    if (merging) merge(pending);
    else waiting.set(String(sequence++), pending);
  }

  function merge(pending: Pending): void {
    const key = `${pending.model}/${pending.id}`;
    const before = waiting.get(key);
    waiting.delete(key);
    const known = waiting.size < limit && (!before || before.change) ? pending.change : null;
    const change = known && before?.change ? mergeChanges(before.change, known) : known;
    waiting.set(key, { ...pending, change });
  }

  return {
    push: (change) => add({ model: change.model, id: change.id, position: change.position, change }),
    pushName: (model, id, position) => add({ model, id, position, change: null }),
    shift: () => {
      const first = waiting.entries().next();
      if (first.done) return undefined;
      const [key, pending] = first.value;
      waiting.delete(key);
      if (waiting.size === 0) merging = false;
      return pending;
    },
    get size() {
      return waiting.size;
    },
  };
}

/** Merges two changes to one document: from the earlier one's `old` to the later one's state. */
function mergeChanges(earlier: Change, later: Change): Change {
  const kind = later.data === null ? 'DELETE' : earlier.old === null && earlier.kind === 'INSERT' ? 'INSERT' : 'UPDATE';
  return { ...later, kind, old: earlier.old };
}
