/** What a projection is: one read model, the events it takes, and a pure `evolve`. */
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ModelDefinition } from '../readModels/readModels.ts';

export type Projection<Doc extends object, Event extends { readonly type: string; readonly data: object }> = ModelDefinition & {
  /** Event types it takes; others never reach it. */
  readonly handles: readonly Event['type'][];
  /** Ids of the documents that the event changes. */
  readonly keys: (event: Recorded<Event>) => readonly string[];
  /** Called for each key. The same reference back means no change; null deletes. Pure; a throw parks the event for that document alone. */
  readonly evolve: (document: Doc | null, event: Recorded<Event>, key: string) => Doc | null;
};

/** Any projection, as the loop sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the loop handles projections of every document and event type alike.
export type AnyProjection = Projection<any, any>;
