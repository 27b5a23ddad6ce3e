/**
 * The shared checkpoint in MongoDB: one record with the collections of the builds it speaks for, kept with those of the
 * builds, so that all are read with one command. It can be written only with the number of their last change, so a
 * writer that missed one is refused.
 */
import type { Collection } from 'mongodb';
import { furthestBehind } from '../positions.ts';
import { type Position, ReadModelError, type SharedCheckpoint } from '../readModels.ts';
import { START } from '../writes.ts';
import type { MongoBuild } from './mongoBuild.ts';
import { isDuplicateKey } from './mongoErrors.ts';

export type SharedRecord = {
  readonly _id: typeof SHARED_ID;
  /** How often the builds were changed. */
  readonly changes: number;
  readonly collections: readonly string[];
  readonly position: Position;
  readonly lastEvent: string | null;
};

/** As last read. */
export type Shared = Omit<SharedRecord, '_id'>;

export type MongoShared = {
  readonly known: Shared;
  /** Reads it alone. */
  read(): Promise<Shared>;
  /** It was read with the builds; null: there is none. */
  learn(record: SharedRecord | null): Shared;
  /** @throws ReadModelError UNKNOWN_BUILD if the builds were changed since they were last read */
  change(builds: readonly MongoBuild[]): Promise<void>;
  /**
   * `changes`: when it was checked which builds it speaks for.
   * @throws ReadModelError UNKNOWN_BUILD if they were changed since
   */
  advance(checkpoint: Omit<SharedCheckpoint, 'builds'>, changes: number): Promise<void>;
};

export const SHARED_ID = 'shared';

export const isShared = (record: { readonly _id: string }): record is SharedRecord => record._id === SHARED_ID;

const NONE: Shared = { changes: 0, collections: [], position: START, lastEvent: null };

export function createMongoShared(records: Collection<SharedRecord>): MongoShared {
  let known = NONE;

  function otherBuilds(): ReadModelError {
    return new ReadModelError('UNKNOWN_BUILD', 'The shared checkpoint speaks for other builds now.');
  }

  function learn(record: SharedRecord | null): Shared {
    const found = record ?? NONE;
    // This process may have advanced it since the read began.
    if (found.changes !== known.changes || found.position >= known.position) known = found;
    return known;
  }

  return {
    get known() {
      return known;
    },
    read: async () => learn(await records.findOne({ _id: SHARED_ID })),
    learn,
    change: async (builds) => {
      const last = furthestBehind(builds);
      const { changes } = known;
      const next = {
        changes: changes + 1,
        collections: builds.map(({ collection }) => collection).sort(),
        position: last?.checkpoint ?? START,
        lastEvent: last?.lastEvent ?? null,
      };
      if (changes === 0)
        await records.insertOne({ _id: SHARED_ID, ...next }).catch((error: unknown) => {
          throw isDuplicateKey(error) ? otherBuilds() : error;
        });
      else if ((await records.replaceOne({ _id: SHARED_ID, changes }, next)).matchedCount === 0) throw otherBuilds();
      known = next;
    },
    advance: async ({ position, lastEvent }, changes) => {
      const later = { position, ...(lastEvent === undefined ? {} : { lastEvent }) };
      const { matchedCount } = await records.updateOne({ _id: SHARED_ID, changes }, { $max: later });
      if (matchedCount === 0) throw otherBuilds();
      if (known.changes === changes && position > known.position)
        known = { ...known, position, lastEvent: lastEvent ?? known.lastEvent };
    },
  };
}
