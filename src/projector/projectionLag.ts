/** How far the read models lag behind the log. */
import type { EventFilter, EventStore, Position } from '../eventStore/eventStore.ts';
import { type Lane, lowestCheckpoint } from './projectionLane.ts';

type ModelLag = {
  readonly build: string;
  readonly checkpoint: Position | null;
  /** Distance in log positions: events, for a store that numbers them consecutively. */
  readonly behind: number;
  readonly skipped: number;
  readonly parked: number;
  /** Events held back for parked documents since the start. */
  readonly pending: number;
  /** A build that is being filled to take over. */
  readonly rebuilding: { readonly build: string; readonly behind: number } | null;
};

export type ProjectionLag = {
  readonly head: Position;
  /** Maximum over the models. */
  readonly behind: number;
  /** Age in ms of the oldest unapplied event; 0 if there is none. */
  readonly ageMs: number;
  readonly parked: number;
  readonly skipped: number;
  readonly models: Readonly<Record<string, ModelLag>>;
};

type Lanes = { readonly live: readonly Lane[]; readonly building: readonly Lane[] };

export async function measureLag(
  store: EventStore,
  filter: EventFilter,
  lanes: Lanes,
  nowMs: number,
): Promise<ProjectionLag> {
  const head = await store.head();
  const names = [...new Set([...lanes.live, ...lanes.building].map((lane) => lane.projection.name))];
  const entries = names.map((name) => [name, modelLag(name, lanes, head)] as const);
  const behind = Math.max(0, ...entries.map(([, lag]) => lag.behind));
  return {
    head,
    behind,
    ageMs:
      behind === 0
        ? 0
        : await oldestWaitingMs(store, filter, lanes.live.length > 0 ? lanes.live : lanes.building, nowMs),
    parked: entries.reduce((sum, [, lag]) => sum + lag.parked, 0),
    skipped: entries.reduce((sum, [, lag]) => sum + lag.skipped, 0),
    models: Object.fromEntries(entries),
  };
}

/** Not based on the last applied event: after a quiet hour, the first new event would look an hour late. */
async function oldestWaitingMs(
  store: EventStore,
  filter: EventFilter,
  lanes: readonly Lane[],
  nowMs: number,
): Promise<number> {
  const { events } = await store.readAll({ after: lowestCheckpoint(lanes), limit: 1, filter });
  const at = events[0]?.metadata.at;
  return at === undefined ? 0 : Math.max(0, nowMs - Date.parse(at));
}

function modelLag(name: string, { live, building }: Lanes, head: Position): ModelLag {
  const filling = building.find((lane) => lane.projection.name === name);
  const lane = live.find((candidate) => candidate.projection.name === name) ?? filling;
  if (!lane) throw new Error(`No lane for ${name}.`);
  const rebuilding = filling ? { build: filling.build, behind: distance(filling, head) } : null;
  return {
    build: lane.build,
    checkpoint: lane.checkpoint,
    behind: distance(lane, head),
    skipped: lane.skipped,
    parked: lane.parked.size,
    pending: lane.pending,
    rebuilding,
  };
}

function distance({ checkpoint }: Lane, head: Position): number {
  return Math.max(0, Number(BigInt(head) - BigInt(checkpoint ?? 0)));
}
