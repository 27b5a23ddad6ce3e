/**
 * What watchers were told of a document outlives it in the kept batches. Some time after its deletion was told, the document's content is taken out
 * of them: who is that far behind reads what there is now. Only who writes the batches does this, so no two do it at once; what a killed process
 * left is found by the next one, at its first write.
 */
import type { Collection } from 'mongodb';
import type { Position } from '../readModels.ts';
import type { Batch, OutboxChange } from './mongoBatch.ts';

export type Erasure = {
  /** After batches were written. */
  noted(changes: readonly OutboxChange[]): void;
  /** Waits for what is under way; what is not yet begun is left to the next process. */
  close(): Promise<void>;
};

/** By model and id: up to where it is deleted. */
type Deleted = Map<string, Position>;

export function createErasure(batches: Collection<Batch>, afterMs: number): Erasure {
  let pending: Deleted = new Map();
  let looksBack = true;
  let timer: NodeJS.Timeout | null = null;
  let work: Promise<void> = Promise.resolve();
  let closed = false;

  async function round(): Promise<void> {
    const deleted = pending;
    const all = looksBack;
    pending = new Map();
    looksBack = false;
    try {
      if (all) for await (const batch of batches.find({ 'changes.kind': 'DELETE' })) note(deleted, batch.changes);
      if (deleted.size > 0) await erase(deleted);
    } catch {
      // The server is away: all of it is looked for again at the next round.
      looksBack = true;
      schedule();
    }
  }

  async function erase(deleted: Deleted): Promise<void> {
    const ids = [...new Set([...deleted.keys()].map((key) => key.slice(key.indexOf('/') + 1)))];
    for await (const batch of batches.find({ 'changes.id': { $in: ids } })) {
      const changes = batch.changes.map((change) => (holdsDeleted(change, deleted) ? { ...change, data: null, old: null, isLarge: true as const } : change));
      if (changes.some((change, at) => change !== batch.changes[at])) await batches.updateOne({ _id: batch._id }, { $set: { changes } });
    }
  }

  function schedule(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      work = work.then(round);
    }, afterMs).unref();
  }

  return {
    noted: (changes) => {
      note(pending, changes);
      if (looksBack || pending.size > 0) schedule();
    },
    close: async () => {
      closed = true;
      if (timer) clearTimeout(timer);
      await work;
    },
  };
}

const keyOf = ({ model, id }: OutboxChange): string => `${model}/${id}`;

function note(deleted: Deleted, changes: readonly OutboxChange[]): void {
  for (const change of changes)
    if (change.kind === 'DELETE' && change.position > (deleted.get(keyOf(change)) ?? '')) deleted.set(keyOf(change), change.position);
}

function holdsDeleted(change: OutboxChange, deleted: Deleted): boolean {
  return (change.data !== null || change.old !== null) && change.position <= (deleted.get(keyOf(change)) ?? '');
}
