/** One build of a model: what the database keeps of it, and what a process holds of it. */
import type { StoredDefinition } from '../definitions.ts';
import type { Position } from '../readModels.ts';
import type { DocumentCollection } from './mongoDocuments.ts';

export type BuildRecord = {
  readonly _id: string;
  readonly model: string;
  readonly build: string;
  /** Name of its collection: never used again, so that who still writes to a dropped build harms no later one of the same name. */
  readonly collection: string;
  readonly definition: string;
  readonly checkpoint: Position | null;
  /** The build with the highest number serves the model; 0: it never did. So one write switches. */
  readonly served: number;
  /** What the watchers are still to be told of the switch. */
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
  checkpoint: Position | null;
};
