/** What a projection is: one read model, the events it takes, and a pure `evolve`. */
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ModelDefinition, Query } from '../readModels/readModels.ts';

/**
 * Documents that take up others of the same model: for sums that no event names. Each step says what a document now is, never by how much it changed, so
 * that it can be done again. The chain goes one way: what takes a document up is never, by any way, taken up by it.
 */
export type TakingUp<Doc extends object> = {
  /** Ids of the documents that take this one up; null: it is gone, or never was, and its id alone tells. */
  readonly keys: (id: string, document: Doc | null) => readonly string[];
  /** The document `key` once the document `id` is `source`; null: gone. Pure. */
  readonly evolve: (document: Doc | null, source: Doc | null, id: string, key: string) => Doc | null;
  /** All documents that may have taken up `id`, whatever it was. Null: its events name them themselves. Asked after a commit broke off. */
  readonly left: (id: string) => Query['where'] | null;
};

/** Those from before the event that have one of these values in a field; an index begins with it. */
export type Deletes = { readonly field: string; readonly values: readonly string[] };

export type Projection<Doc extends object, Event extends { readonly type: string; readonly data: object }> = ModelDefinition & {
  /** Event types it takes; others never reach it. */
  readonly handles: readonly Event['type'][];
  /** Ids of the documents that the event changes. */
  readonly keys: (event: Recorded<Event>) => readonly string[];
  /** Called for each key. The same reference back means no change; null deletes. Pure; a throw parks the event for that document alone. */
  readonly evolve: (document: Doc | null, event: Recorded<Event>, key: string) => Doc | null;
  readonly takingUp?: TakingUp<Doc>;
  /** Documents that go with the event though it cannot name them. Null: none. Pure. */
  readonly deletes?: (event: Recorded<Event>) => Deletes | null;
};

/** Any projection, as the loop sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the loop handles projections of every document and event type alike.
export type AnyProjection = Projection<any, any>;
