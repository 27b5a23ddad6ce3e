/** Defines a projection: one read model, and a pure function for each event type it handles. */
import type { DomainEvent } from '../domain/decider.ts';
import type { EventOf, EventType } from '../domain/stored/eventOf.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ModelDefinition, Query } from '../readModels/readModels.ts';

/**
 * Documents that sum up others of the same model, for numbers that no event names. A sum changes by the difference that
 * an event makes to one of its sources, so an event costs the same however many sources a sum has.
 *
 * A commit that broke off is repeated and must count nothing twice. So sums are written before their sources and read
 * after them, and take no event at or before their own position: a source is never ahead of its sums.
 */
export type Sums<Doc extends object> = {
  /** Ids of the sums that count this document; none for a sum. Pure. */
  readonly of: (document: Doc) => readonly string[];
  /** The sum after one of its sources changed; null: it was not counted before, or is not any more. Null deletes. Pure. */
  readonly evolve: (sum: Doc | null, source: Doc | null, next: Doc | null, key: string) => Doc | null;
  /**
   * For a maximum, which no difference can lower: what finds the sources of a sum that has lost its greatest, the
   * greatest first. Null: it has not.
   */
  readonly lost: (sum: Doc, key: string) => Pick<Query, 'where' | 'sort'> | null;
  /** The sum with the maximum of these sources, its greatest among them. Pure. */
  readonly found: (sum: Doc, sources: readonly Doc[]) => Doc;
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
  readonly sums?: Sums<Doc>;
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
