/** `given(…events)` folded by a projection as the loop does it: by key, with the position guard. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type Recorded, START } from '../../../src/eventStore/eventStore.ts';
import type { Projection } from '../../../src/projections/projection.ts';
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

/** As after every event its own commit. */
function takeUp<Doc extends object>(
  { takingUp }: Pick<Projection<Doc, never>, 'takingUp'>,
  stored: Stored<Doc>,
  before: Stored<Doc>,
  position: string,
  touched: readonly string[],
): void {
  let round = takingUp ? touched : [];
  while (takingUp && round.length > 0) {
    const next: string[] = [];
    for (const id of round) {
      const source = stored.get(id);
      for (const key of new Set([before.get(id), source].flatMap((state) => takingUp.keys(id, state?.document ?? null)))) {
        next.push(key);
        const held = stored.get(key);
        if (!source || (before.get(key)?.position ?? START) >= position) continue;
        const document = takingUp.evolve(held?.document ?? null, source.document, id, key);
        if (!isDeepStrictEqual(document, held?.document ?? null)) stored.set(key, { position, document });
      }
    }
    round = [...new Set(next)];
  }
}

/** The documents by id; deleted ones are left out. An event at or before a document's position changes nothing. */
export function fold<Doc extends object, Event extends AnyEvent>(projection: Projection<Doc, Event>, events: readonly Recorded<Event>[]): Record<string, Doc> {
  const stored: Stored<Doc> = new Map();
  for (const event of events) {
    if (!projection.handles.includes(event.type as Event['type'])) continue;
    const before = new Map(stored);
    for (const key of projection.keys(event)) {
      const held = stored.get(key) ?? { position: START, document: null };
      if (event.position <= held.position) continue;
      stored.set(key, { position: event.position, document: projection.evolve(held.document, event, key) });
    }
    takeUp(projection, stored, before, event.position, projection.keys(event));
  }
  return Object.fromEntries([...stored].flatMap(([key, { document }]) => (document ? [[key, document]] : [])));
}

/** Folds the events and asserts that delivering each twice, or all of them again, gives the same documents. */
export function project<Doc extends object, Event extends AnyEvent>(projection: Projection<Doc, Event>, ...events: readonly Event[]): Record<string, Doc> {
  const once = recorded(events);
  const documents = fold(projection, once);
  const twice = once.flatMap((event) => [event, event]);
  expect(fold(projection, twice)).toEqual(documents);
  expect(fold(projection, [...once, ...once])).toEqual(documents);
  expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
  return documents;
}
