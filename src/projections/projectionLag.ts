/** How far the read models are behind the log. */
import type { Position } from '../eventStore/eventStore.ts';
import type { Lane } from './projectionLane.ts';

export type ModelLag = {
  readonly build: string;
  readonly checkpoint: Position | null;
  /** Distance in log positions: events, for a store that numbers them one by one. */
  readonly behind: number;
  readonly skipped: number;
  readonly parked: number;
  /** Events held back for parked documents since the start. */
  readonly pending: number;
  /** A build that is being filled to take its place. */
  readonly rebuilding: { readonly build: string; readonly behind: number } | null;
};

export type ProjectionLag = {
  readonly head: Position;
  /** The largest of the models'. */
  readonly behind: number;
  /** Age in ms of the newest event applied while there are others to come; 0 when nothing is. */
  readonly ageMs: number;
  readonly parked: number;
  readonly skipped: number;
  readonly models: Readonly<Record<string, ModelLag>>;
};

export type Progress = { readonly live: readonly Lane[]; readonly building: readonly Lane[]; readonly lastEventAt: string | null };

export function measureLag(progress: Progress, head: Position, nowMs: number): ProjectionLag {
  const names = [...new Set([...progress.live, ...progress.building].map((lane) => lane.projection.name))];
  const entries = names.map((name) => [name, modelLag(name, progress, head)] as const);
  const behind = Math.max(0, ...entries.map(([, lag]) => lag.behind));
  const lastMs = progress.lastEventAt === null ? nowMs : Date.parse(progress.lastEventAt);
  return {
    head,
    behind,
    ageMs: behind === 0 ? 0 : Math.max(0, nowMs - lastMs),
    parked: entries.reduce((sum, [, lag]) => sum + lag.parked, 0),
    skipped: entries.reduce((sum, [, lag]) => sum + lag.skipped, 0),
    models: Object.fromEntries(entries),
  };
}

function modelLag(name: string, { live, building }: Progress, head: Position): ModelLag {
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
