/** Folds `given(…events)` with a projection as the loop does: by key, with the position guard. */
import { expect } from 'vitest';
import { type Recorded, type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import type { Step } from '../../../src/projector/projectionFold.ts';
import { sumUpAll } from '../../../src/projector/sums.ts';
import type { StoredDocument } from '../../../src/readModels/readModels.ts';
import { metadataAt } from './metadata.ts';

type AnyEvent = { readonly type: string; readonly data: object };

/** Events as recorded one after another, at positions 1, 2, 3 … */
export function recorded<Event extends AnyEvent>(events: readonly Event[]): readonly Recorded<Event>[] {
  return events.map(
    (event, index) =>
      ({
        ...event,
        id: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
        metadata: metadataAt('2026-03-01T00:00:00.000Z'),
        stream: 'test',
        revision: BigInt(index),
        position: String(index + 1).padStart(20, '0'),
      }) as unknown as Recorded<Event>,
  );
}

type Stored<Doc> = Map<string, { readonly position: string; readonly document: Doc | null }>;

export type Folding<Doc extends object, Event extends AnyEvent> = {
  /** An event at or before a document's position changes nothing. */
  readonly take: (event: Recorded<Event>) => void;
  /** Null: deleted, or never there. */
  readonly get: (id: string) => StoredDocument<Doc> | null;
  /** By id; deleted ones are left out. */
  readonly documents: () => Record<string, Doc>;
};

/** Documents that are folded on, event by event. */
export function folding<Doc extends object, Event extends AnyEvent>(
  projection: Projection<Doc, Event>,
): Folding<Doc, Event> {
  const stored: Stored<Doc> = new Map();
  return {
    take: (event) => {
      if (!projection.handles.includes(event.type as Event['type'])) return;
      const steps: Step[] = [];
      const keep = (key: string, document: Doc | null): void => {
        steps.push({
          event: event as unknown as RecordedEvent,
          before: stored.get(key)?.document ?? null,
          after: document,
        });
        stored.set(key, { position: event.position, document });
      };
      for (const key of projection.keys(event)) {
        const held = stored.get(key) ?? { position: START, document: null };
        if (event.position <= held.position) continue;
        const document = projection.evolve(held.document, event, key);
        // An equal document is not a change.
        if (document !== held.document) keep(key, document);
      }
      const { field = '', values = [] } = projection.deletes?.(event) ?? {};
      for (const [key, { position, document }] of values.length > 0 ? stored : []) {
        const value = (document as Record<string, string> | null)?.[field];
        if (value !== undefined && position < event.position && values.includes(value)) keep(key, null);
      }
      if (!projection.sums) return;
      const states = new Map([...stored].map(([id, { position, document }]) => [id, { id, position, data: document }]));
      const summed = sumUpAll({ projection, folded: { writes: [], steps }, frozen: new Map() }, states);
      for (const { id, position, data } of summed.writes) stored.set(id, { position, document: data as Doc | null });
    },
    get: (id) => {
      const { position = START, document = null } = stored.get(id) ?? {};
      return document && { id, position, data: document };
    },
    documents: () =>
      Object.fromEntries([...stored].flatMap(([key, { document }]) => (document ? [[key, document]] : []))),
  };
}

/** The documents by id; deleted ones are left out. */
export function fold<Doc extends object, Event extends AnyEvent>(
  projection: Projection<Doc, Event>,
  events: readonly Recorded<Event>[],
): Record<string, Doc> {
  const { take, documents } = folding(projection);
  for (const event of events) take(event);
  return documents();
}

/** Folds the events and asserts that delivering each twice, or all of them again, gives the same documents. */
export function project<Doc extends object, Event extends AnyEvent>(
  projection: Projection<Doc, Event>,
  ...events: readonly Event[]
): Record<string, Doc> {
  const once = recorded(events);
  const documents = fold(projection, once);
  const twice = once.flatMap((event) => [event, event]);
  expect(fold(projection, twice)).toEqual(documents);
  expect(fold(projection, [...once, ...once])).toEqual(documents);
  expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
  return documents;
}
