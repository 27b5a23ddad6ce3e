/** How far the served read models lag behind the log, computed from the stores alone, so in any process. */
import type { EventStore, Position } from '../eventStore/eventStore.ts';
import { START } from '../eventStore/eventStore.ts';
import type { AnyProjection } from '../projections/projection.ts';
import type { ReadModels } from '../readModels/readModels.ts';

export type ServedLag = {
  /** Every model has a serving build. */
  readonly served: boolean;
  /** Age in ms of the oldest unapplied event; 0 if there is none. */
  readonly ageMs: number;
  /** Distance in log positions by model: events, for a store that numbers them consecutively. */
  readonly behind: Readonly<Record<string, number>>;
};

type Sources = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
};

/** @throws the stores' errors when they are unavailable */
export async function measureServedLag({ store, readModels, projections }: Sources, nowMs: number): Promise<ServedLag> {
  const head = await store.head();
  const checkpoints = await Promise.all(projections.map(({ name }) => readModels.servedPosition(name)));
  const behind = Object.fromEntries(projections.map(({ name }, at) => [name, distance(checkpoints[at] ?? null, head)]));
  const lowest = checkpoints.map((checkpoint) => checkpoint ?? START).sort()[0] ?? START;
  const waiting = Object.values(behind).some((events) => events > 0);
  return {
    served: checkpoints.every((checkpoint) => checkpoint !== null),
    ageMs: waiting ? await oldestAfter(store, projections, lowest, nowMs) : 0,
    behind,
  };
}

async function oldestAfter(
  store: EventStore,
  projections: readonly AnyProjection[],
  after: Position,
  nowMs: number,
): Promise<number> {
  const types = [...new Set(projections.flatMap((projection) => projection.handles as readonly string[]))];
  const { events } = await store.readAll({ after, limit: 1, filter: { types } });
  const at = events[0]?.metadata.at;
  return at === undefined ? 0 : Math.max(0, nowMs - Date.parse(at));
}

function distance(checkpoint: Position | null, head: Position): number {
  return Math.max(0, Number(BigInt(head) - BigInt(checkpoint ?? 0)));
}
