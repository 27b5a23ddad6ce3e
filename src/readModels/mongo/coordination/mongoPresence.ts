/** Presence in MongoDB, one document each. */
import type { Db } from 'mongodb';
import type { Presence, PresenceKind, Seen } from '../../presence.ts';
import { asReadModelError, isDuplicateKey } from '../mongoErrors.ts';
import { PRESENCE_INDEXES } from '../mongoIndexes.ts';
import { addIndexes } from '../mongoPrepare.ts';

type PresenceRecord = Seen & { readonly _id: string; readonly kind: PresenceKind };

/** @throws ReadModelError READ_MODELS_UNAVAILABLE, as every call does */
export async function openMongoPresence({ db }: { readonly db: Db }): Promise<Presence> {
  const records = db.collection<PresenceRecord>('presence');
  const keyOf = (kind: PresenceKind, id: string) => ({ _id: `${kind}/${encodeURIComponent(id)}` });

  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asReadModelError(error);
    }
  }
  const put = (kind: PresenceKind, { id, at, value }: Seen) =>
    records.updateOne(keyOf(kind, id), { $set: { kind, id, at, value } }, { upsert: true });

  await call(() => addIndexes(records, PRESENCE_INDEXES));
  return {
    note: (kind, seen) =>
      call(async () => {
        await put(kind, seen).catch((error: unknown) => {
          // Another process has just written the first one.
          if (!isDuplicateKey(error)) throw error;
          return put(kind, seen);
        });
      }),
    get: (kind, id) =>
      call(async () => {
        const found = await records.findOne(keyOf(kind, id));
        return found && { id: found.id, at: found.at, value: found.value };
      }),
    list: (kind, { since, limit }) =>
      call(async () => {
        const found = await records.find({ kind, at: { $gte: since } }, { sort: { at: -1, id: 1 }, limit }).toArray();
        return found.map(({ id, at, value }) => ({ id, at, value }));
      }),
    count: (kind, since) => call(() => records.countDocuments({ kind, at: { $gte: since } })),
    remove: (kind, id) => call(async () => void (await records.deleteOne(keyOf(kind, id)))),
    forget: (kind, before) => call(async () => void (await records.deleteMany({ kind, at: { $lt: before } }))),
  };
}
