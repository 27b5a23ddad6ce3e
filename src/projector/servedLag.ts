/** How far the served read models are behind the log, as any process can tell from the stores alone. */
import type { EventStore, Position } from '../eventStore/eventStore.ts';
import { START } from '../eventStore/eventStore.ts';
import type { AnyProjection } from '../projections/projection.ts';
import type { ReadModels } from '../readModels/readModels.ts';

export type ServedLag = {
  /** Every model has a build that answers. */
  readonly served: boolean;
  /** Age in ms of the oldest event that is still to be applied; 0 when there is none. */
  readonly ageMs: number;
  /** Distance in log positions by model: events, for a store that numbers them one by one. */
  readonly behind: Readonly<Record<string, number>>;
};

type Sources = { readonly store: EventStore; readonly readModels: ReadModels; readonly projections: readonly AnyProjection[] };

/** @throws what the stores throw when they do not answer */
export async function measureServedLag({ store, readModels, projections }: Sources, nowMs: number): Promise<ServedLag> {
  const head = await store.head();
  const checkpoints = await Promise.all(projections.map(({ name }) => servedCheckpoint(readModels, name)));
  const behind = Object.fromEntries(projections.map(({ name }, at) => [name, distance(checkpoints[at] ?? null, head)]));
  const lowest = checkpoints.map((checkpoint) => checkpoint ?? START).sort()[0] ?? START;
  const waiting = Object.values(behind).some((events) => events > 0);
  return {
    served: checkpoints.every((checkpoint) => checkpoint !== null),
    ageMs: waiting ? await oldestAfter(store, projections, lowest, nowMs) : 0,
    behind,
  };
}

/** Null when nothing serves. */
async function servedCheckpoint(readModels: ReadModels, model: string): Promise<Position | null> {
  const build = await readModels.serving(model);
  return build === null ? null : ((await readModels.checkpoint(model, build)) ?? START);
}

async function oldestAfter(store: EventStore, projections: readonly AnyProjection[], after: Position, nowMs: number): Promise<number> {
  const types = [...new Set(projections.flatMap((projection) => projection.handles as readonly string[]))];
  const { events } = await store.readAll({ after, limit: 1, filter: { types } });
  const at = events[0]?.metadata.at;
  return at === undefined ? 0 : Math.max(0, nowMs - Date.parse(at));
}

function distance(checkpoint: Position | null, head: Position): number {
  return Math.max(0, Number(BigInt(head) - BigInt(checkpoint ?? 0)));
}
