/** One build of a model: its stored record and its in-memory state. */
import type { StoredDefinition } from '../definitions.ts';
import type { Position } from '../readModels.ts';
import type { DocumentCollection } from './mongoDocuments.ts';

export type BuildRecord = {
  readonly _id: string;
  readonly model: string;
  readonly build: string;
  /**
   * Name of its collection. Never reused, so that a process still writing to a dropped build does not harm a later one
   * of the same name.
   */
  readonly collection: string;
  readonly definition: string;
  readonly checkpoint: Position | null;
  /** Absent in builds from before checkpoints named an event. */
  readonly lastEvent?: string;
  /** The build with the highest number serves the model; 0: it never has. A switch is therefore a single write. */
  readonly served: number;
  /** The part of the switch not yet published to watchers. */
  readonly untold?: { readonly after: Position; readonly upTo: Position };
};

export type MongoBuild = {
  readonly id: string;
  readonly model: string;
  readonly name: string;
  readonly collection: string;
  readonly documents: DocumentCollection;
  readonly definition: StoredDefinition;
  readonly record: BuildRecord;
  /** Of its record or the shared one, whichever is further. */
  checkpoint: Position | null;
  lastEvent: string | null;
};
