/**
 * The changes that commits made to serving builds, as consecutively numbered batches: every process reads them one by
 * one, so all see the same sequence. A batch is written after the documents and before the checkpoint, so nothing that
 * a checkpoint covers is ever missing here.
 */
import type { Collection, Db } from 'mongodb';
import type { Position } from '../readModels.ts';
import type { Batch, OutboxChange, Switch } from './mongoBatch.ts';
import { duplicatesOf } from './mongoErrors.ts';
import { createOutboxErasure } from './mongoOutboxErasure.ts';

export type Outbox = {
  readonly batches: Collection<Batch>;
  /** Number of the newest batch; 0 if there is none. */
  newest(): Promise<number>;
  /**
   * The same, cached for a while: `append` detects what others have written since. `isNew`: it was just looked up, so a
   * caller that relies on its knowledge of the builds must refresh that too.
   */
  position(): Promise<{ readonly number: number; readonly isNew: boolean }>;
  read(number: number): Promise<Batch | null>;
  has(number: number): Promise<boolean>;
  /**
   * When a batch was written, in ms; null if it does not exist. Numbers restart in a database that was deleted: this
   * tells two batches apart.
   */
  writtenAt(number: number): Promise<number | null>;
  /**
   * Appends after batch number `after`, the newest before the documents were written. If others have appended since,
   * the changes they published are not repeated. `collections`: the target builds' collections, by model. Returns the
   * batches written.
   */
  append(
    entries: { readonly changes: readonly OutboxChange[]; readonly collections: ReadonlyMap<string, string> },
    after: number,
  ): Promise<readonly Batch[]>;
  appendSwitch(switched: Switch): Promise<Batch>;
  /** The changes missing from the last batches up to `number`. */
  unpublished(changes: readonly OutboxChange[], number: number): Promise<readonly OutboxChange[]>;
  /** After an error: cached values may be wrong. */
  forget(): void;
  /** Waits for trimming and erasing in progress. */
  settled(): Promise<void>;
};

/** JSON characters per batch, unless a single change has more: erasing a document rewrites whole batches. */
const MAX_BATCH_CHARS = 250_000;
/** Limit per change: at three bytes each still far below the 16 MiB of a document. */
const MAX_CHANGE_CHARS = 3_000_000;
const MAX_BATCH_CHANGES = 5_000;
/** How long a batch's number is trusted: far shorter than batches are kept. */
const REMEMBER_MS = 10_000;
const TRIM_EVERY = 128;
/** How many batches a repeated commit searches for what it published before it was interrupted. */
const LOOK_BACK = 64;

export function createOutbox(db: Db, keep: number, eraseAfterMs: number): Outbox {
  const batches = db.collection<Batch>('changes');
  const erasure = createOutboxErasure(batches, { afterMs: eraseAfterMs, keep });
  let known: { readonly number: number; readonly at: number } | null = null;
  let trimming: Promise<unknown> = Promise.resolve();

  async function newest(): Promise<number> {
    const last = await batches.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
    return last ? Number(last._id) : 0;
  }

  async function position(): Promise<{ readonly number: number; readonly isNew: boolean }> {
    if (known && performance.now() - known.at <= REMEMBER_MS) return { number: known.number, isNew: false };
    const at = performance.now();
    known = { number: known && (await isNewest(known.number)) ? known.number : await newest(), at };
    return { number: known.number, isNew: true };
  }

  async function has(number: number): Promise<boolean> {
    return (await batches.findOne({ _id: batchId(number) }, { projection: { _id: 1 } })) !== null;
  }

  async function writtenAt(number: number): Promise<number | null> {
    return (await batches.findOne({ _id: batchId(number) }, { projection: { at: 1 } }))?.at.getTime() ?? null;
  }

  async function isNewest(number: number): Promise<boolean> {
    const [isThere, isFollowed] = await Promise.all([has(number), has(number + 1)]);
    return isThere && !isFollowed;
  }

  function since(number: number): Promise<Batch[]> {
    return batches.find({ _id: { $gt: batchId(number) } }, { sort: { _id: 1 } }).toArray();
  }

  /** In this order, up to the first whose number is taken. Returns how many were inserted. */
  async function insert(next: readonly Batch[]): Promise<number> {
    let count = next.length;
    try {
      await batches.insertMany([...next]);
    } catch (error) {
      const [taken] = duplicatesOf(error) ?? [];
      if (taken === undefined) {
        known = null;
        throw error;
      }
      count = taken;
    }
    const at = performance.now();
    for (const batch of next.slice(0, count)) {
      const number = Number(batch._id);
      known = { number, at };
      erasure.noted(batch);
      // Leftovers are removed next time.
      if (number % TRIM_EVERY === 0)
        trimming = batches.deleteMany({ _id: { $lte: batchId(number - keep) } }).catch(() => undefined);
    }
    return count;
  }

  return {
    batches,
    newest,
    position,
    read: (number) => batches.findOne({ _id: batchId(number) }),
    has,
    writtenAt,
    append: async ({ changes, collections }, after) => {
      const written: Batch[] = [];
      let rest = changes;
      let last = after;
      let wasFenced = false;
      while (rest.length > 0) {
        const at = new Date();
        const next = partsOf(rest).map((part, nth): Batch => ({ _id: batchId(last + 1 + nth), at, changes: part }));
        const inserted = next.slice(0, await insert(next));
        written.push(...inserted);
        last += inserted.length;
        if (inserted.length === next.length) break;
        rest = rest.slice(inserted.reduce((sum, { changes: part }) => sum + part.length, 0));
        const foreign = await since(last);
        rest = withoutPublished(rest, foreign).filter(({ model }) => !isFenced(model, collections, foreign));
        wasFenced ||= foreign.some(({ switched }) => switched);
        last = Number(foreign.at(-1)?._id ?? last);
      }
      if (wasFenced) known = null;
      return written;
    },
    appendSwitch: async (switched) => {
      for (;;) {
        const batch: Batch = { _id: batchId((await newest()) + 1), at: new Date(), changes: [], switched };
        if ((await insert([batch])) === 1) return batch;
      }
    },
    unpublished: async (changes, number) => withoutPublished(changes, await since(Math.max(0, number - LOOK_BACK))),
    forget: () => {
      known = null;
    },
    settled: async () => {
      await Promise.all([trimming, erasure.close()]);
    },
  };
}

/** Fixed length, so that ids sort by number. */
function batchId(number: number): string {
  return String(Math.max(0, number)).padStart(20, '0');
}

/** In order, each of a size for one batch. */
function partsOf(changes: readonly OutboxChange[]): readonly (readonly OutboxChange[])[] {
  const parts: OutboxChange[][] = [];
  let part: OutboxChange[] = [];
  let total = 0;
  for (const change of changes) {
    const chars = charsOf(change);
    if (parts.length === 0 || total + chars > MAX_BATCH_CHARS || part.length === MAX_BATCH_CHANGES) {
      part = [];
      parts.push(part);
      total = 0;
    }
    part.push(chars > MAX_CHANGE_CHARS ? { ...change, data: null, old: null, isLarge: true } : change);
    total += chars;
  }
  return parts;
}

function charsOf({ id, data, old }: OutboxChange): number {
  return id.length + (data?.length ?? 0) + (old?.length ?? 0);
}

function withoutPublished(changes: readonly OutboxChange[], batches: readonly Batch[]): readonly OutboxChange[] {
  const published = new Map<string, Position>();
  for (const batch of batches) {
    for (const { model, id, position } of batch.changes)
      if (position > (published.get(`${model}/${id}`) ?? '')) published.set(`${model}/${id}`, position);
  }
  return changes.filter(({ model, id, position }) => (published.get(`${model}/${id}`) ?? '') < position);
}

function isFenced(model: string, collections: ReadonlyMap<string, string>, batches: readonly Batch[]): boolean {
  const last = batches.findLast(({ switched }) => switched?.model === model);
  return last !== undefined && last.switched?.collection !== collections.get(model);
}
