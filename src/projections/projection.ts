/** Defines a projection: one read model, and a pure function for each event type it handles. */
import type { DomainEvent } from '../domain/decider.ts';
import type { EventOf, EventType } from '../domain/stored/eventOf.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ModelDefinition, Query } from '../readModels/readModels.ts';

/**
 * Documents that aggregate others of the same model: for sums that no event names. Each step sets what a document is
 * now, never by how much it changed, so it can be repeated. The chain has no cycles: a document never aggregates
 * itself, directly or indirectly.
 */
export type TakingUp<Doc extends object> = {
  /** Ids of the documents that aggregate this one; null: it is deleted or never existed, and only its id is known. */
  readonly keys: (id: string, document: Doc | null) => readonly string[];
  /** The document `key` after the document `id` became `source`; null: deleted. Pure. */
  readonly evolve: (document: Doc | null, source: Doc | null, id: string, key: string) => Doc | null;
  /**
   * All documents that may have aggregated `id` in any earlier state. Null: its events name them. Used after an
   * interrupted commit.
   */
  readonly left: (id: string) => Query['where'] | null;
};

/** Selects documents from before the event by a field's values; an index must start with that field. */
export type Deletes = { readonly field: string; readonly values: readonly string[] };

type Evolve<Doc extends object, Event extends DomainEvent> = (
  document: Doc | null,
  event: Recorded<Event>,
  key: string,
) => Doc | null;

export type Projection<Doc extends object, Event extends DomainEvent> = ModelDefinition & {
  /** Event types it handles; others never reach it. */
  readonly handles: readonly Event['type'][];
  /** Ids of the documents the event changes. */
  readonly keys: (event: Recorded<Event>) => readonly string[];
  /**
   * Called for each key. Returning the same reference means no change; null deletes. Pure; if it throws, the event is
   * parked for that document only.
   */
  readonly evolve: Evolve<Doc, Event>;
  readonly takingUp?: TakingUp<Doc>;
  /** Other processes wait for its changes: a large commit publishes them before those of the other models. */
  readonly isUrgent?: true;
  /** Documents deleted with the event although it cannot name them. Null: none. Pure. */
  readonly deletes?: (event: Recorded<Event>) => Deletes | null;
};

/** Any projection, as the loop sees it. */
// biome-ignore lint/suspicious/noExplicitAny: the loop handles projections of every document and event type alike.
export type AnyProjection = Projection<any, any>;

type Definition<Doc extends object, Type extends EventType> = Omit<
  Projection<Doc, EventOf<Type>>,
  'handles' | 'evolve'
> & {
  /** `evolve` of each event type it handles. */
  readonly on: { readonly [Each in Type]: Evolve<Doc, EventOf<Each>> };
};

/**
 * A projection of the product's events. Two calls: the first names the type of the documents, the second infers the
 * event types from `on`.
 */
export function projection<Doc extends object>() {
  return <Type extends EventType>({ on, ...definition }: Definition<Doc, Type>): Projection<Doc, EventOf<Type>> => ({
    ...definition,
    handles: Object.keys(on) as EventOf<Type>['type'][],
    evolve: (document, event, key) =>
      Object.hasOwn(on, event.type) ? on[event.type as Type](document, event, key) : document,
  });
}

type Same<Doc extends object, Type extends EventType> = { readonly [Each in Type]: Evolve<Doc, EventOf<Type>> };

/** Entries of `on` for event types that are handled alike. */
export function each<Doc extends object, Type extends EventType>(
  types: readonly Type[],
  evolve: Evolve<Doc, EventOf<Type>>,
): Same<Doc, Type> {
  return Object.fromEntries(types.map((type) => [type, evolve])) as Same<Doc, Type>;
}
