/**
 * What commits did to serving builds, as batches numbered without a gap: every process reads them one by one, so all see the same sequence.
 * A batch is written after the documents and before the checkpoint, so nothing that a checkpoint covers is ever missing here.
 */
import type { Collection, Db } from 'mongodb';
import type { Position } from '../readModels.ts';
import type { Batch, OutboxChange, Switch } from './mongoBatch.ts';
import { createErasure } from './mongoErasure.ts';
import { isDuplicateKey } from './mongoErrors.ts';

export type Outbox = {
  readonly batches: Collection<Batch>;
  /** Number of the newest batch; 0 when there is none. */
  newest(): Promise<number>;
  /**
   * The same, remembered for a while: what others have written since is found out by `append`. `isNew`: it was looked up just now, and who
   * relies on what it knew of the builds before looks that up again.
   */
  position(): Promise<{ readonly number: number; readonly isNew: boolean }>;
  read(number: number): Promise<Batch | null>;
  has(number: number): Promise<boolean>;
  /** When a batch was written, in ms; null when it is not there. In a database that was deleted the numbers begin anew: this tells two batches apart. */
  writtenAt(number: number): Promise<number | null>;
  /**
   * Appends behind batch number `after`, the newest before the documents were written. Where others have appended since, what they have told
   * is not told again. `collections`: of the builds they were made to, by model.
   * Returns the batches written.
   */
  append(entries: { readonly changes: readonly OutboxChange[]; readonly collections: ReadonlyMap<string, string> }, after: number): Promise<readonly Batch[]>;
  appendSwitch(switched: Switch): Promise<Batch>;
  /** Those of the changes that the last batches up to `number` do not tell. */
  unpublished(changes: readonly OutboxChange[], number: number): Promise<readonly OutboxChange[]>;
  /** After an error: what is remembered may be wrong. */
  forget(): void;
  /** Waits for what is being trimmed and erased. */
  settled(): Promise<void>;
};

/** Characters of JSON in one batch, unless one change alone has more: what erases a document writes whole batches anew. */
const MAX_BATCH_CHARS = 250_000;
/** Of one change: with three bytes each still far below the 16 MiB of a document. */
const MAX_CHANGE_CHARS = 3_000_000;
const MAX_BATCH_CHANGES = 5_000;
/** A batch's number is trusted for this long: far less than what is kept. */
const REMEMBER_MS = 10_000;
const TRIM_EVERY = 128;
/** Batches in which a commit that is repeated looks for what it told before it broke off. */
const LOOK_BACK = 64;

export function createOutbox(db: Db, keep: number, eraseAfterMs: number): Outbox {
  const batches = db.collection<Batch>('changes');
  const erasure = createErasure(batches, { afterMs: eraseAfterMs, keep });
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

  /** False when that number is taken. */
  async function insert(batch: Batch): Promise<boolean> {
    try {
      await batches.insertOne(batch);
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      known = null;
      throw error;
    }
    const number = Number(batch._id);
    known = { number, at: performance.now() };
    erasure.noted(batch);
    if (number % TRIM_EVERY === 0) {
      // Leftovers are met again at the next turn.
      trimming = batches.deleteMany({ _id: { $lte: batchId(number - keep) } }).catch(() => undefined);
    }
    return true;
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
        const part = firstPart(rest);
        const batch: Batch = { _id: batchId(last + 1), at: new Date(), changes: part };
        if (await insert(batch)) {
          written.push(batch);
          rest = rest.slice(part.length);
          last += 1;
        } else {
          const foreign = await since(last);
          rest = withoutPublished(rest, foreign).filter(({ model }) => !isFenced(model, collections, foreign));
          wasFenced ||= foreign.some(({ switched }) => switched);
          last = Number(foreign.at(-1)?._id ?? last);
        }
      }
      if (wasFenced) known = null;
      return written;
    },
    appendSwitch: async (switched) => {
      for (;;) {
        const batch: Batch = { _id: batchId((await newest()) + 1), at: new Date(), changes: [], switched };
        if (await insert(batch)) return batch;
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

/** Text of a fixed length, so that the order of the numbers is that of the ids. */
function batchId(number: number): string {
  return String(Math.max(0, number)).padStart(20, '0');
}

function firstPart(changes: readonly OutboxChange[]): readonly OutboxChange[] {
  const part: OutboxChange[] = [];
  let total = 0;
  for (const change of changes) {
    const chars = charsOf(change);
    if (part.length > 0 && (total + chars > MAX_BATCH_CHARS || part.length === MAX_BATCH_CHANGES)) break;
    part.push(chars > MAX_CHANGE_CHARS ? { ...change, data: null, old: null, isLarge: true } : change);
    total += chars;
  }
  return part;
}

function charsOf({ id, data, old }: OutboxChange): number {
  return id.length + (data?.length ?? 0) + (old?.length ?? 0);
}

function withoutPublished(changes: readonly OutboxChange[], batches: readonly Batch[]): readonly OutboxChange[] {
  const published = new Map<string, Position>();
  for (const batch of batches) {
    for (const { model, id, position } of batch.changes) if (position > (published.get(`${model}/${id}`) ?? '')) published.set(`${model}/${id}`, position);
  }
  return changes.filter(({ model, id, position }) => (published.get(`${model}/${id}`) ?? '') < position);
}

function isFenced(model: string, collections: ReadonlyMap<string, string>, batches: readonly Batch[]): boolean {
  const last = batches.findLast(({ switched }) => switched?.model === model);
  return last !== undefined && last.switched?.collection !== collections.get(model);
}
