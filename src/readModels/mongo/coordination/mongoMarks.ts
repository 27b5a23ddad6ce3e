/** Marks in MongoDB, one document each. */
import type { Db } from 'mongodb';
import type { Marks } from '../../claims.ts';
import { asReadModelError, isDuplicateKey } from '../mongoErrors.ts';

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
  const put = (name: string, value: string) => marks.updateOne(keyOf(name), { $set: { value } }, { upsert: true });

  return {
    read: (name) => call(async () => (await marks.findOne(keyOf(name)))?.value ?? null),
    write: (name, value) =>
      call(async () => {
        await put(name, value).catch((error: unknown) => {
          // Another process has just written the first one.
          if (!isDuplicateKey(error)) throw error;
          return put(name, value);
        });
      }),
    remove: (name) => call(async () => void (await marks.deleteOne(keyOf(name)))),
  };
}
