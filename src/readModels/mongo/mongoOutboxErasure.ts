/**
 * The kept batches outlive a deleted document. Some time after the deletion was published, the document's content is
 * erased from them: a reader that far behind reads the current state instead. Only the writer of batches does this, so
 * it never runs twice at once; leftovers of a killed process are found by the next one, at its first write.
 */
import type { Collection } from 'mongodb';
import type { Position } from '../readModels.ts';
import type { Batch, OutboxChange } from './mongoBatch.ts';

export type OutboxErasure = {
  /** Called after a batch was written. */
  noted(batch: Batch): void;
  /** Waits for work in progress; anything not yet begun is left to the next process. */
  close(): Promise<void>;
};

export type OutboxErasureOptions = {
  /** How long a deletion is published as such. */
  readonly afterMs: number;
  /** Number of batches kept. */
  readonly keep: number;
};

/** By model and id: the position up to which it is deleted. */
type Deleted = Map<string, Position>;

/** How many documents to remember batches for; older batches may contain any document. */
const MAX_REMEMBERED = 200_000;
/** Batches read and rewritten together. */
const AT_ONCE = 10;
const WITHOUT_STATES = Object.fromEntries(
  ['model', 'id', 'kind', 'position', 'isLarge'].map((field) => [`changes.${field}`, 1]),
);

export function createOutboxErasure(
  batches: Collection<Batch>,
  { afterMs, keep }: OutboxErasureOptions,
): OutboxErasure {
  let pending: Deleted = new Map();
  /**
   * The documents in the kept batches, oldest batch first; null: possibly any. Searching the batches instead would mean
   * reading all of them.
   */
  let keysByBatch = new Map<string, ReadonlySet<string> | null>();
  let remembered = 0;
  let last = 0;
  /** Not all batches are remembered: before the first write, and after other processes wrote some. */
  let needsRescan = true;
  let timer: NodeJS.Timeout | null = null;
  let work: Promise<void> = Promise.resolve();
  let closed = false;

  function remember({ _id, changes }: Pick<Batch, '_id' | 'changes'>): void {
    const keys = new Set(changes.filter(({ isLarge }) => !isLarge).map(keyOf));
    remembered += keys.size - (keysByBatch.get(_id)?.size ?? 0);
    keysByBatch.set(_id, keys);
    for (const [oldest, of] of keysByBatch) {
      const isKept = Number(oldest) > last - keep;
      if (isKept && remembered <= MAX_REMEMBERED) break;
      if (isKept) keysByBatch.set(oldest, null);
      else keysByBatch.delete(oldest);
      remembered -= of?.size ?? 0;
    }
  }

  async function rescan(deleted: Deleted): Promise<void> {
    needsRescan = false;
    keysByBatch = new Map();
    remembered = 0;
    for await (const batch of batches.find({}, { projection: WITHOUT_STATES, sort: { _id: 1 } })) {
      note(deleted, batch.changes);
      remember(batch);
    }
  }

  async function round(): Promise<void> {
    const deleted = pending;
    pending = new Map();
    try {
      if (needsRescan) await rescan(deleted);
      await erase(deleted);
    } catch {
      // The server is unavailable: the next round searches everything again.
      needsRescan = true;
      schedule();
    }
  }

  async function erase(deleted: Deleted): Promise<void> {
    const gone = [...deleted.keys()];
    if (gone.length === 0) return;
    const concerned = [...keysByBatch].flatMap(([id, keys]) =>
      keys && !gone.some((key) => keys.has(key)) ? [] : [id],
    );
    for (let from = 0; from < concerned.length; from += AT_ONCE) {
      const found = await batches
        .find({ _id: { $in: concerned.slice(from, from + AT_ONCE) } }, { batchSize: AT_ONCE + 1 })
        .toArray();
      const updates = found.flatMap((batch) => {
        const changes = batch.changes.map((change) =>
          containsDeleted(change, deleted) ? { ...change, data: null, old: null, isLarge: true as const } : change,
        );
        return changes.some((change, at) => change !== batch.changes[at])
          ? [{ updateOne: { filter: { _id: batch._id }, update: { $set: { changes } } } }]
          : [];
      });
      if (updates.length > 0) await batches.bulkWrite(updates, { ordered: false });
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
    noted: (batch) => {
      const number = Number(batch._id);
      if (number !== last + 1) needsRescan = true;
      last = number;
      remember(batch);
      note(pending, batch.changes);
      if (needsRescan || pending.size > 0) schedule();
    },
    close: async () => {
      closed = true;
      if (timer) clearTimeout(timer);
      await work;
    },
  };
}

const keyOf = ({ model, id }: Pick<OutboxChange, 'model' | 'id'>): string => `${model}/${id}`;

function note(deleted: Deleted, changes: readonly OutboxChange[]): void {
  for (const change of changes)
    if (change.kind === 'DELETE' && change.position > (deleted.get(keyOf(change)) ?? ''))
      deleted.set(keyOf(change), change.position);
}

function containsDeleted(change: OutboxChange, deleted: Deleted): boolean {
  return (change.data !== null || change.old !== null) && change.position <= (deleted.get(keyOf(change)) ?? '');
}
