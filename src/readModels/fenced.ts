/**
 * Read models that can be written only while a lease is held: a paused projector that wakes up after another took over
 * writes nothing stale.
 */
import { ReadModelError, type ReadModels } from './readModels.ts';

/**
 * `readModels` whose write calls are refused as soon as `held()` is false; reading and watching continue. Writes
 * already on their way to the store do no harm: documents keep the newer position, and a checkpoint never moves back.
 * @throws ReadModelError with code LEASE_LOST (from `prepare`, `serve`, `drop`, `commit`, `shareCheckpoint`, `retain`)
 */
export function fencedReadModels(readModels: ReadModels, held: () => boolean): ReadModels {
  async function whileHeld<T>(write: () => Promise<T>): Promise<T> {
    if (!held())
      throw new ReadModelError('LEASE_LOST', 'Another process writes the read models now, or may: the lease was lost.');
    return write();
  }
  return {
    prepare: (definition, build) => whileHeld(() => readModels.prepare(definition, build)),
    serve: (model, build) => whileHeld(() => readModels.serve(model, build)),
    drop: (model, build) => whileHeld(() => readModels.drop(model, build)),
    commit: (commits, shared) => whileHeld(() => readModels.commit(commits, shared)),
    shareCheckpoint: (builds) => whileHeld(() => readModels.shareCheckpoint(builds)),
    retain: (models) => whileHeld(() => readModels.retain(models)),
    serving: (model) => readModels.serving(model),
    servedPosition: (model) => readModels.servedPosition(model),
    checkpoint: (model, build) => readModels.checkpoint(model, build),
    lastEvent: (model, build) => readModels.lastEvent(model, build),
    get: (model, id, build) => readModels.get(model, id, build),
    getMany: (model, ids, build) => readModels.getMany(model, ids, build),
    states: (model, ids, build) => readModels.states(model, ids, build),
    find: (model, query, build) => readModels.find(model, query, build),
    count: (model, where, build) => readModels.count(model, where, build),
    countChanged: (model, changed) => readModels.countChanged(model, changed),
    damaged: () => readModels.damaged(),
    parked: (model) => readModels.parked(model),
    watch: (options) => readModels.watch(options),
    reached: (models, position, timeoutMs) => readModels.reached(models, position, timeoutMs),
    readAsOf: (models, position, timeoutMs, read) => readModels.readAsOf(models, position, timeoutMs, read),
    close: () => readModels.close(),
  };
}
