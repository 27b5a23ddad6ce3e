/** Defines a projection: one read model, the events it handles, and a pure `evolve`. */
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ModelDefinition, Query } from '../readModels/readModels.ts';

/**
 * Documents that aggregate others of the same model: for sums that no event names. Each step sets what a document is now, never by how much it changed,
 * so it can be repeated. The chain has no cycles: a document never aggregates itself, directly or indirectly.
 */
export type TakingUp<Doc extends object> = {
  /** Ids of the documents that aggregate this one; null: it is deleted or never existed, and only its id is known. */
  readonly keys: (id: string, document: Doc | null) => readonly string[];
  /** The document `key` after the document `id` became `source`; null: deleted. Pure. */
  readonly evolve: (document: Doc | null, source: Doc | null, id: string, key: string) => Doc | null;
  /** All documents that may have aggregated `id` in any earlier state. Null: its events name them. Used after an interrupted commit. */
  readonly left: (id: string) => Query['where'] | null;
};

/** Selects documents from before the event by a field's values; an index must start with that field. */
export type Deletes = { readonly field: string; readonly values: readonly string[] };

export type Projection<Doc extends object, Event extends { readonly type: string; readonly data: object }> = ModelDefinition & {
  /** Event types it handles; others never reach it. */
  readonly handles: readonly Event['type'][];
  /** Ids of the documents the event changes. */
  readonly keys: (event: Recorded<Event>) => readonly string[];
  /** Called for each key. Returning the same reference means no change; null deletes. Pure; if it throws, the event is parked for that document only. */
  readonly evolve: (document: Doc | null, event: Recorded<Event>, key: string) => Doc | null;
  readonly takingUp?: TakingUp<Doc>;
  /** Other processes wait for its changes: a large commit publishes them before those of the other models. */
  readonly isUrgent?: true;
  /** Documents deleted with the event although it cannot name them. Null: none. Pure. */
  readonly deletes?: (event: Recorded<Event>) => Deletes | null;
};

/** Any projection, as the loop sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the loop handles projections of every document and event type alike.
export type AnyProjection = Projection<any, any>;
