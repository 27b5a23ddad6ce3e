/** State shared by the parts of the MongoDB adapter. */
import type { Batch } from './mongoBatch.ts';
import type { MongoBuilds } from './mongoBuilds.ts';
import type { DocumentRow } from './mongoDocuments.ts';
import type { Outbox } from './mongoOutbox.ts';
import type { MongoParked } from './mongoParked.ts';

export type MongoContext = {
  readonly builds: MongoBuilds;
  readonly outbox: Outbox;
  readonly parked: MongoParked;
  readonly states: ReadStates;
  /** Collections in which this process's last commit completed. */
  readonly proven: Set<string>;
  /** Allows one outbox writer at a time in this process. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  readonly watching: {
    /** Resolves when the requested watches of this process know where they begin. */
    begun(): Promise<void>;
    /** Resolves when the watches of this process have been notified of its own writes. Never rejects. */
    publish(appending: Promise<readonly Batch[]>): Promise<void>;
  };
};

/** States that a projection has just read to fold on: its next commit need not read them again. Null: absent. */
export type ReadStates = {
  keep(collection: string, states: ReadonlyMap<string, DocumentRow | null>): void;
  take(collection: string): Map<string, DocumentRow | null>;
};

export function createReadStates(): ReadStates {
  const kept = new Map<string, ReadonlyMap<string, DocumentRow | null>>();
  return {
    // Sums are read after the documents that they count.
    keep: (collection, states) => void kept.set(collection, new Map([...(kept.get(collection) ?? []), ...states])),
    take: (collection) => {
      const states = new Map(kept.get(collection));
      kept.delete(collection);
      return states;
    },
  };
}
