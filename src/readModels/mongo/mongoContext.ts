/** What the parts of the MongoDB adapter share. */
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
  /** Collections in which the last commit of this process went through to its end. */
  readonly proven: Set<string>;
  /** One writer of the outbox at a time in this process. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  readonly watching: {
    /** The watches of this process that have been asked for know where they begin. */
    begun(): Promise<void>;
    /** Resolves when the watches of this process have been told of what it wrote itself. */
    publish(batches: readonly Batch[]): Promise<void>;
  };
};

/** States that a projection has just read to fold on: its commit, which comes next, need not read them again. Null: not there. */
export type ReadStates = {
  keep(collection: string, states: ReadonlyMap<string, DocumentRow | null>): void;
  take(collection: string): Map<string, DocumentRow | null>;
};

export function createReadStates(): ReadStates {
  const kept = new Map<string, ReadonlyMap<string, DocumentRow | null>>();
  return {
    keep: (collection, states) => void kept.set(collection, states),
    take: (collection) => {
      const states = new Map(kept.get(collection));
      kept.delete(collection);
      return states;
    },
  };
}
