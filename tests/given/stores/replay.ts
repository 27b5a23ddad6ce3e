/** A projection under realistic conditions: redelivered events, lost checkpoints, restarts, arbitrary batches. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../../src/projections/projection.ts';
import { applyBatch, openLane } from '../../../src/projector/projectionLane.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { metadataAt } from './metadata.ts';
import { memoryReadModels } from './readModels.ts';

type AnyEvent = { readonly type: string; readonly data: object; readonly stream?: string };

export type ReplayOptions = { readonly numRuns?: number; readonly seed?: number };

const DEFAULT_SEED = 20_260_303;

/**
 * How one batch goes: how many events, whether the process restarts after it, and how far a restart loses the
 * checkpoint (documents stay).
 */
const delivery = fc.record({ size: fc.integer({ min: 1, max: 7 }), restart: fc.boolean(), lost: fc.nat({ max: 10 }) });

/**
 * Asserts that any list of these events, delivered in any batches with restarts and repeats, gives the documents of one
 * clean pass, that a build beside it gives the same, that no event is parked, and that `evolve` changes neither event
 * nor document.
 */
export async function assertReplayStable(
  projection: AnyProjection,
  events: fc.Arbitrary<readonly AnyEvent[]>,
  options: ReplayOptions = {},
): Promise<void> {
  const { numRuns = 100, seed = DEFAULT_SEED } = options;
  const guarded: AnyProjection = {
    ...projection,
    evolve: (document, event, key) => projection.evolve(frozen(document), frozen(event), key),
  };
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.array(delivery, { minLength: 1, size: 'max', maxLength: 20 }),
      async (list, deliveries) => {
        const recorded = record(list);
        const readModels = memoryReadModels();
        try {
          await deliver(readModels, guarded, 'clean', recorded, [
            { size: Math.max(1, recorded.length), restart: false, lost: 0 },
          ]);
          await deliver(readModels, guarded, 'rough', recorded, deliveries);
          const clean = await documentsOf(readModels, projection.name, 'clean');
          expect(await documentsOf(readModels, projection.name, 'rough')).toEqual(clean);
          expect(await readModels.parked()).toEqual([]);
        } finally {
          await readModels.close();
        }
      },
    ),
    { numRuns, seed },
  );
}

async function deliver(
  readModels: ReadModels,
  projection: AnyProjection,
  build: string,
  events: readonly RecordedEvent[],
  deliveries: readonly { readonly size: number; readonly restart: boolean; readonly lost: number }[],
): Promise<void> {
  let lane = await openLane(readModels, projection, build);
  let next = 0;
  for (let turn = 0; next < events.length; turn++) {
    const { size, restart, lost } = deliveries[turn % deliveries.length] ?? { size: 1, restart: false, lost: 0 };
    const batch = events.slice(next, next + size);
    const last = batch.at(-1);
    if (!last) return;
    await applyBatch(readModels, [lane], { events: batch, upTo: last.position }, () => '2026-01-01T00:00:00.000Z');
    next += batch.length;
    if (!restart) continue;
    lane = await openLane(readModels, projection, build);
    // Some batches from here on repeat processed events; the number of rounds limits how often.
    if (turn < deliveries.length) next = Math.max(0, next - lost);
    lane.checkpoint = events[next - 1]?.position ?? null;
  }
}

/** All documents of a build, by id. */
export async function documentsOf(
  readModels: ReadModels,
  model: string,
  build?: string,
): Promise<Record<string, object>> {
  const documents: [string, object][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ReadModels['find']>> = await readModels.find(
      model,
      { limit: 1000, ...(cursor === null ? {} : { cursor }) },
      build,
    );
    documents.push(...page.documents.map(({ id, position, data }) => [id, { position, ...data }] as [string, object]));
    cursor = page.cursor;
  } while (cursor !== null);
  return Object.fromEntries(documents);
}

function record(events: readonly AnyEvent[]): readonly RecordedEvent[] {
  return events.map(({ type, data, stream = 'test-1' }, index) => ({
    id: `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`,
    type,
    data: JSON.parse(JSON.stringify(data)) as object,
    metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    stream,
    revision: BigInt(index),
    // Positions need not be contiguous.
    position: String(index * 3 + 1).padStart(20, '0'),
  }));
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
