/**
 * The projection loop. A catch-up subscription feeds all projections in batches; each batch is folded in memory and
 * committed once, documents and checkpoints together. New versions and rebuilds are filled next to the serving builds,
 * and take over when they have caught up.
 */

import type { AnyProjection } from '../projections/projection.ts';
import type { ParkedRecord } from '../readModels/readModels.ts';
import { retryDocument } from './parkingRetry.ts';
import { isParkedStream } from './projectionFold.ts';
import { measureLag, type ProjectionLag } from './projectionLag.ts';
import {
  createLoop,
  type Loop,
  type ProjectionsOptions,
  rebuildModels,
  runLoop,
  trackRebuild,
} from './projectionLoop.ts';

type RetryResult = { readonly retried: number; readonly stillParked: readonly ParkedRecord[] };

export type RunningProjections = {
  /**
   * All required builds are filled and serving, however far the log has advanced since. Rejects if the loop ends first.
   */
  readonly filled: Promise<void>;
  /** All models are served and have caught up once. Rejects if the loop ends first. */
  readonly ready: Promise<void>;
  /** The loop has ended: resolves after the signal, rejects if a store was closed while it was running. */
  readonly done: Promise<void>;
  lag(): Promise<ProjectionLag>;
  /** Applies the missed events to parked documents. If `keys` itself had failed, the whole model is rebuilt. */
  retryParked(model: string, documentId?: string): Promise<RetryResult>;
  /** Rebuilds models (default: all) next to the serving ones; resolves when they have taken over. */
  rebuild(models?: readonly string[]): Promise<void>;
};

export function runProjections(options: ProjectionsOptions): RunningProjections {
  const names = options.projections.map((projection) => projection.name);
  if (new Set(names).size !== names.length) throw new Error('Two projections have the same name.');
  const loop = createLoop(options);
  const done = runLoop(loop);
  const endedEarly = done.then(() => {
    throw new Error('The projections were stopped before they had caught up.');
  });
  const caughtUp = Promise.all([loop.filled.promise, loop.caughtUp.promise]).then(() => undefined);
  const ready = Promise.race([caughtUp, endedEarly]);
  const filled = Promise.race([loop.filled.promise, endedEarly]);
  // Callers that do not await these learn of a failure from `done`.
  ready.catch(() => undefined);
  filled.catch(() => undefined);
  return {
    filled,
    ready,
    done,
    lag: () => measureLag(options.store, loop.filter, { live: loop.live, building: [...loop.building] }, options.now()),
    retryParked: (model, documentId) => retryParked(loop, model, documentId),
    rebuild: (models = names) => rebuild(loop, models),
  };
}

function projectionNamed(loop: Loop, model: string): AnyProjection {
  const projection = loop.options.projections.find((candidate) => candidate.name === model);
  if (!projection) throw new Error(`There is no projection ${model}.`);
  return projection;
}

async function rebuild(loop: Loop, models: readonly string[]): Promise<void> {
  const projections = [...new Set(models)].map((model) => projectionNamed(loop, model));
  const fresh = projections.filter((projection) => !loop.rebuilds.has(projection.name));
  if (fresh.length > 0) {
    const begun = rebuildModels(loop, fresh);
    for (const projection of fresh) trackRebuild(loop, projection.name, begun);
  }
  await Promise.all(projections.map((projection) => loop.rebuilds.get(projection.name)));
}

async function retryParked(loop: Loop, model: string, documentId: string | undefined): Promise<RetryResult> {
  const projection = projectionNamed(loop, model);
  const lane = loop.live.find((candidate) => candidate.projection === projection);
  const records = [...(lane?.parked.values() ?? [])].filter(
    (record) => documentId === undefined || record.documentId === documentId,
  );
  if (!lane || records.length === 0) return { retried: 0, stillParked: [] };
  // Only now is it known which documents such an event affects: they may have advanced since, and only a fold from the
  // start makes them correct. The same goes for sums, and for what they count.
  if (projection.sums || records.some((record) => isParkedStream(record.documentId))) {
    await rebuild(loop, [model]);
    const now = loop.live.find((candidate) => candidate.projection === projection);
    return { retried: records.length, stillParked: [...(now?.parked.values() ?? [])] };
  }
  const { store, readModels } = loop.options;
  const { batchSize, parkedAt, exclusive } = loop;
  const context = {
    store,
    readModels,
    batchSize,
    parkedAt,
    exclusive,
    isLive: (other: typeof lane) => loop.live.includes(other),
  };
  const stillParked: ParkedRecord[] = [];
  for (const record of records) {
    const still = await retryDocument(context, lane, record);
    if (still) stillParked.push(still);
  }
  return { retried: records.length, stillParked };
}
