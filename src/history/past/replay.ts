/**
 * Rebuilds a whole read model as of a position from all events of its types, in memory: for documents without streams
 * of their own.
 */

import { comparePositions, type EventStore, type Position, type RecordedEvent } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import { type Failure, foldEvents, keyEvents } from '../../projector/projectionFold.ts';
import { sumUpAll } from '../../projector/sums.ts';
import type { DocumentState } from '../../readModels/readModels.ts';

const PAGE = 500;

/** Documents by id, including deleted ones, and the events that could not be applied. */
export type Folded = {
  readonly states: ReadonlyMap<string, DocumentState>;
  readonly failures: ReadonlyMap<string, Failure>;
};

/**
 * Works as the projector does, batch by batch: a document whose event cannot be applied stays as it was, and sums take
 * the batch as a whole. Costs as much as reading the log up to that position; `signal` aborts it.
 */
export async function replay(
  store: Pick<EventStore, 'readAll'>,
  projection: AnyProjection,
  { position, signal }: { readonly position: Position; readonly signal?: AbortSignal },
): Promise<Folded> {
  const states = new Map<string, DocumentState>();
  const failures = new Map<string, Failure>();
  for await (const events of eventsUpTo(store, projection.handles, position, signal))
    foldOn(projection, events, { states, failures });
  return { states, failures };
}

/** Adds the next events of the projection's types to what was folded before. */
export function foldOn(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  { states, failures }: { readonly states: Map<string, DocumentState>; readonly failures: Map<string, Failure> },
): void {
  const keyed = keyEvents(projection, events);
  const all = keyed.some(({ deletes }) => deletes !== undefined);
  const known = all
    ? [...states.values()]
    : [...new Set(keyed.flatMap(({ keys }) => keys))].flatMap((id) => states.get(id) ?? []);
  const folded = foldEvents(projection, keyed, known, failures);
  const summed = sumUpAll({ projection, folded, frozen: failures }, states);
  for (const write of [...summed.writes, ...folded.writes]) states.set(write.id, write);
  for (const id of folded.erased) failures.delete(id);
  for (const failure of [...folded.failures, ...summed.failures]) failures.set(failure.documentId, failure);
}

async function* eventsUpTo(
  store: Pick<EventStore, 'readAll'>,
  types: readonly string[],
  position: Position,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly RecordedEvent[]> {
  const pace = createPace('request');
  for (let after: Position | undefined; ; ) {
    signal?.throwIfAborted();
    const page = await store.readAll({ ...(after === undefined ? {} : { after }), limit: PAGE, filter: { types } });
    const events = page.events.filter((event) => comparePositions(event.position, position) <= 0);
    if (events.length > 0) yield events;
    if (page.end || events.length < page.events.length || comparePositions(page.next, position) >= 0) return;
    after = page.next;
    await pace.pass();
  }
}
