/** Snapshots in MongoDB: one document each, which only ever advances. */
import { Binary, type Db } from 'mongodb';
import { packed, unpacked } from '../packedState.ts';
import type { SnapshotHead, SnapshotPlace, Snapshots } from '../snapshots.ts';
import { asReadModelError, isDuplicateKey } from './mongoErrors.ts';

type SnapshotRecord = SnapshotHead & {
  readonly _id: string;
  /** Version and position combined: of two snapshots the one with the greater text stays. */
  readonly order: string;
  readonly state: Binary;
};

/** A writer that loses this often is competing with others that are further ahead. */
const MOST_TRIES = 10;
const HEAD = { name: 1, key: 1, version: 1, position: 1, hash: 1 } as const;

export function createMongoSnapshots({ db }: { readonly db: Db }): Snapshots {
  const snapshots = db.collection<SnapshotRecord>('snapshots');
  const idOf = ({ name, key }: SnapshotPlace): string => `${encodeURIComponent(name)}/${encodeURIComponent(key)}`;
  const orderOf = ({ version, position }: SnapshotHead): string => `${String(version).padStart(10, '0')}/${position}`;

  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asReadModelError(error);
    }
  }

  /** One operation each, so that the current document decides. */
  async function put(record: SnapshotRecord): Promise<'written' | 'known'> {
    const { _id, order, ...rest } = record;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { matchedCount } = await snapshots.replaceOne({ _id, order: { $lt: order } }, { ...rest, order });
      if (matchedCount > 0) return 'written';
      const there = await snapshots.findOne({ _id }, { projection: { order: 1 } });
      if (there && there.order >= order) return 'known';
      if (there) continue;
      try {
        await snapshots.insertOne(record);
        return 'written';
      } catch (error) {
        // Another process has just written the first one, possibly from an earlier position.
        if (!isDuplicateKey(error)) throw error;
      }
    }
    return 'known';
  }

  return {
    read: async (place) => {
      const record = await call(() => snapshots.findOne({ _id: idOf(place) }));
      const state = record ? await unpacked(record.state.value()) : null;
      return record && state !== null ? { ...headOf(record), state } : null;
    },
    write: async ({ state, ...head }) => {
      const bytes = await packed(state);
      if (bytes === null) return 'too_large';
      return call(() => put({ _id: idOf(head), ...head, order: orderOf(head), state: new Binary(bytes) }));
    },
    remove: (place) => call(async () => void (await snapshots.deleteOne({ _id: idOf(place) }))),
    list: ({ after, limit }) =>
      call(async () => {
        const page = snapshots.find(after === undefined ? {} : { _id: { $gt: idOf(after) } }, {
          projection: HEAD,
          sort: { _id: 1 },
          limit,
        });
        return (await page.toArray()).map(headOf);
      }),
  };
}

const headOf = ({ name, key, version, position, hash }: SnapshotHead): SnapshotHead => ({
  name,
  key,
  version,
  position,
  hash,
});
