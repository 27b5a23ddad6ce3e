/**
 * The shared checkpoint in MongoDB: one record with the collections of the builds it speaks for. It can be written only
 * with the number of their last change, so a writer that missed one is refused.
 */
import type { Collection, Db } from 'mongodb';
import { lastOf } from '../positions.ts';
import { type Position, ReadModelError, type SharedCheckpoint } from '../readModels.ts';
import { START } from '../writes.ts';
import type { MongoBuild } from './mongoBuild.ts';
import { isDuplicateKey } from './mongoErrors.ts';

type SharedRecord = {
  readonly _id: 'shared';
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
  read(): Promise<Shared>;
  /** @throws ReadModelError UNKNOWN_BUILD if the builds were changed since they were last read */
  change(builds: readonly MongoBuild[]): Promise<void>;
  /** @throws ReadModelError UNKNOWN_BUILD likewise */
  advance(checkpoint: Omit<SharedCheckpoint, 'builds'>): Promise<void>;
};

const NONE: Shared = { changes: 0, collections: [], position: START, lastEvent: null };

export function createMongoShared(db: Db): MongoShared {
  const records: Collection<SharedRecord> = db.collection<SharedRecord>('sharedCheckpoint');
  let known = NONE;

  function otherBuilds(): ReadModelError {
    return new ReadModelError('UNKNOWN_BUILD', 'The shared checkpoint speaks for other builds now.');
  }

  async function read(): Promise<Shared> {
    const found = (await records.findOne({ _id: 'shared' })) ?? NONE;
    // This process may have advanced it since the read began.
    if (found.changes !== known.changes || found.position >= known.position) known = found;
    return known;
  }

  return {
    get known() {
      return known;
    },
    read,
    change: async (builds) => {
      const last = lastOf(builds);
      const { changes } = known;
      const next = {
        changes: changes + 1,
        collections: builds.map(({ collection }) => collection).sort(),
        position: last?.checkpoint ?? START,
        lastEvent: last?.lastEvent ?? null,
      };
      if (changes === 0)
        await records.insertOne({ _id: 'shared', ...next }).catch((error: unknown) => {
          throw isDuplicateKey(error) ? otherBuilds() : error;
        });
      else if ((await records.replaceOne({ _id: 'shared', changes }, next)).matchedCount === 0) throw otherBuilds();
      known = next;
    },
    advance: async ({ position, lastEvent }) => {
      const { changes } = known;
      const later = { position, ...(lastEvent === undefined ? {} : { lastEvent }) };
      const { matchedCount } = await records.updateOne({ _id: 'shared', changes }, { $max: later });
      if (matchedCount === 0) throw otherBuilds();
      if (known.changes === changes && position > known.position)
        known = { ...known, position, lastEvent: lastEvent ?? known.lastEvent };
    },
  };
}
