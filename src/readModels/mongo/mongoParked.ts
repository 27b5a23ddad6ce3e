/**
 * Parked records in MongoDB: which documents are frozen, since when and why. Like its documents, they belong to a
 * build's collection.
 */
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { Commit, ParkedRecord } from '../readModels.ts';
import type { MongoBuild } from './mongoBuild.ts';
import type { MongoBuilds } from './mongoBuilds.ts';
import { PARKED_INDEXES } from './mongoIndexes.ts';
import { addIndexes } from './mongoPrepare.ts';

type Stored = ParkedRecord & { readonly _id: string; readonly collection: string };

export type MongoParked = {
  createIndexes(): Promise<void>;
  write(lanes: readonly { readonly build: MongoBuild; readonly commit: Commit }[]): Promise<void>;
  list(model?: string): Promise<readonly ParkedRecord[]>;
};

export function createMongoParked(db: Db, builds: MongoBuilds): MongoParked {
  const parked = db.collection<Stored>('parked');
  return {
    createIndexes: () => addIndexes(parked, PARKED_INDEXES),
    write: async (lanes) => {
      const operations = lanes.flatMap(({ build, commit }): AnyBulkWriteOperation<Stored>[] => [
        ...(commit.unpark ?? []).map((id) => ({ deleteOne: { filter: { _id: keyOf(build, id) } } })),
        ...(commit.park ?? []).map((record) => ({
          replaceOne: {
            filter: { _id: keyOf(build, record.documentId) },
            replacement: { ...stored(record), model: build.model, build: build.name, collection: build.collection },
            upsert: true,
          },
        })),
      ]);
      if (operations.length > 0) await parked.bulkWrite(operations, { ordered: true });
    },
    list: async (model) => {
      const found = await parked.find(model === undefined ? {} : { model: { $eq: model } }).toArray();
      if (found.length === 0) return [];
      await builds.refresh();
      return found
        .filter((record) => builds.find(record.model, record.build)?.collection === record.collection)
        .map(stored)
        .sort((a, b) => compare(orderOf(a), orderOf(b)));
    },
  };
}

function keyOf(build: MongoBuild, documentId: string): string {
  return `${build.collection}/${documentId}`;
}

function stored({ model, build, documentId, position, eventType, error, parkedAt }: ParkedRecord): ParkedRecord {
  return { model, build, documentId, position, eventType, error, parkedAt };
}

function orderOf({ position, model, build, documentId }: ParkedRecord): string {
  return [position, model, build, documentId].join('\0');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
