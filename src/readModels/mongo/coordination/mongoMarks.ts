/** Marks in MongoDB, one document each. */
import type { Db } from 'mongodb';
import type { Marks } from '../../claims.ts';
import { asReadModelError, duplicatesOf, isDuplicateKey } from '../mongoErrors.ts';

type Mark = { readonly _id: string; readonly value: string };

export function createMongoMarks({ db }: { readonly db: Db }): Marks {
  const marks = db.collection<Mark>('marks');
  const keyOf = (name: string) => ({ _id: `mark/${encodeURIComponent(name)}` });

  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asReadModelError(error);
    }
  }

  async function put(values: ReadonlyMap<string, string>): Promise<void> {
    const operations = [...values].map(([name, value]) => ({
      updateOne: { filter: keyOf(name), update: { $set: { value } }, upsert: true },
    }));
    await marks.bulkWrite(operations, { ordered: false }).catch((error: unknown) => {
      // Another process has just written the first ones.
      const again = duplicatesOf(error)?.flatMap((at) => operations[at] ?? []);
      if (!again) throw error;
      return marks.bulkWrite(again, { ordered: false });
    });
  }
  const write = together(put);

  async function writeFirst(name: string, value: string): Promise<string> {
    const unlessThere = { $setOnInsert: { value } };
    await marks.updateOne(keyOf(name), unlessThere, { upsert: true }).catch((error: unknown) => {
      // Another process has just written it.
      if (!isDuplicateKey(error)) throw error;
    });
    return (await marks.findOne(keyOf(name)))?.value ?? value;
  }

  return {
    read: (name) => call(async () => (await marks.findOne(keyOf(name)))?.value ?? null),
    write: (name, value) => call(() => write(name, value)),
    writeFirst: (name, value) => call(() => writeFirst(name, value)),
    remove: (name) => call(async () => void (await marks.deleteOne(keyOf(name)))),
  };
}

/**
 * One command at a time: what comes meanwhile goes together in the next. Followers of the same events save their
 * positions at the same time.
 */
function together(
  put: (values: ReadonlyMap<string, string>) => Promise<void>,
): (name: string, value: string) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly values: Map<string, string>; readonly done: Promise<void> } | null = null;
  return (name, value) => {
    if (!next) {
      const values = new Map<string, string>();
      const done = last.then(() => {
        next = null;
        return put(values);
      });
      last = done.catch(() => undefined);
      next = { values, done };
    }
    next.values.set(name, value);
    return next.done;
  };
}
