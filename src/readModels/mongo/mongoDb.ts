/**
 * The read models in MongoDB, for any number of processes. One collection per build of a model, every document with its
 * position as a guard; `builds` with the checkpoints; `changes`, from which every process learns what was written;
 * `parked`. It requires neither transactions nor change streams, but uses the latter if available.
 */
import pLimit from 'p-limit';
import { createReadable } from '../readable.ts';
import { type ModelDefinition, ReadModelError, type ReadModels } from '../readModels.ts';
import { checkPosition, START } from '../writes.ts';
import { createMongoBuilds } from './mongoBuilds.ts';
import { followChangeStream } from './mongoChangeStream.ts';
import { commitAll } from './mongoCommit.ts';
import type { MongoConnection } from './mongoConnection.ts';
import { createReadStates, type MongoContext } from './mongoContext.ts';
import { asReadModelError } from './mongoErrors.ts';
import { createOutbox } from './mongoOutbox.ts';
import { createMongoParked } from './mongoParked.ts';
import { createMongoReached } from './mongoReached.ts';
import { createMongoReading } from './mongoReading.ts';
import { dropBuild, retainModels, serveBuild, shareCheckpoint } from './mongoServe.ts';
import { createMongoWatching } from './mongoWatch.ts';

export type MongoReadModelsOptions = {
  /** Changes queued individually for a slow watcher before they are merged. Default 1,000. */
  readonly watchQueueLimit?: number;
  /**
   * Interval for polling other processes' writes without a change stream, in ms; up to five times that while idle.
   * Default 20.
   */
  readonly pollMs?: number;
  /** Batches of changes kept for readers that lag behind. Default 2,000. */
  readonly keepBatches?: number;
  /**
   * How long a deletion is published as such before the deleted document's content is erased from the kept batches.
   * Default 10,000.
   */
  readonly eraseAfterMs?: number;
  /** What this process reads: see `readable.ts`. Default: anything. */
  readonly reads?: readonly ModelDefinition[];
  /** Called with failures that a retry fixes. */
  readonly onFailure?: (error: unknown) => void;
};

const POLL_MS = 20;
const IDLE_FACTOR = 5;
/** With a change stream: interval of the poll that detects a stream gone silent. */
const STREAM_IDLE_MS = 1_000;
const KEEP_BATCHES = 2_000;
const ERASE_AFTER_MS = 10_000;
const REACHED_POLL_MS = 5;

/** @throws ReadModelError READ_MODELS_UNAVAILABLE */
export async function openMongoReadModels(
  connection: MongoConnection,
  options: MongoReadModelsOptions = {},
): Promise<ReadModels> {
  const { db, isReplicaSet } = connection;
  const pollMs = options.pollMs ?? POLL_MS;
  const onFailure = options.onFailure ?? (() => {});
  const builds = createMongoBuilds(db);
  const readable = createReadable(options.reads ?? []);
  const outbox = createOutbox(db, options.keepBatches ?? KEEP_BATCHES, options.eraseAfterMs ?? ERASE_AFTER_MS);
  const parked = createMongoParked(db, builds);
  const states = createReadStates();
  const reached = createMongoReached(builds, readable, { pollMs: REACHED_POLL_MS, idleMs: pollMs * IDLE_FACTOR });
  const reading = createMongoReading(builds, readable, states);
  const watching = createMongoWatching({
    builds,
    readable,
    outbox,
    read: (model, id) => open(() => reading.readState(model, id)),
    queueLimit: options.watchQueueLimit,
    pollMs,
    idleMs: pollMs * IDLE_FACTOR,
    announcedMs: Math.max(pollMs, STREAM_IDLE_MS),
    onFailure,
    onForeignBatch: () => reached.hurry(),
  });
  const context: MongoContext = { builds, outbox, parked, states, proven: new Set(), exclusive: pLimit(1), watching };
  const waker = isReplicaSet ? followChangeStream(outbox, watching.tailer, onFailure) : null;
  let closed = false;

  /** Every call returns a promise, also when it is refused. */
  async function open<T>(work: () => T | Promise<T>): Promise<T> {
    refuseClosed();
    try {
      return await work();
    } catch (error) {
      throw asReadModelError(error);
    }
  }
  function refuseClosed(): void {
    if (closed) throw new ReadModelError('READ_MODELS_CLOSED', 'The read models are closed.');
  }
  /** Something was just written: its changes will be here soon. */
  function soon<T>(work: () => Promise<T>): Promise<T> {
    return open(() => {
      watching.tailer.wake();
      return work();
    });
  }
  async function fresh<T>(model: string, work: () => T): Promise<T> {
    await builds.refreshModel(model);
    return work();
  }

  await open(async () => {
    await parked.createIndexes();
    await builds.refresh();
  });

  return {
    prepare: (definition, build) =>
      open(async () => {
        // The very first build, or the first since the database was deleted.
        if (builds.serving().length === 0) await parked.createIndexes();
        await builds.prepare(definition, build);
      }),
    serving: (model) => open(() => fresh(model, () => builds.find(model)?.name ?? null)),
    servedPosition: (model) =>
      open(() =>
        fresh(model, () => {
          const build = builds.find(model);
          return build && readable.can(model, build.definition) ? (build.checkpoint ?? START) : null;
        }),
      ),
    serve: (model, build) =>
      open(async () => {
        await serveBuild(context, model, build);
        reached.settle();
      }),
    checkpoint: (model, build) => open(() => fresh(model, () => builds.find(model, build)?.checkpoint ?? null)),
    lastEvent: (model, build) => open(() => fresh(model, () => builds.find(model, build)?.lastEvent ?? null)),
    drop: (model, build) => open(() => dropBuild(context, model, build)),
    retain: (models) => open(() => retainModels(context, models)),
    get: (model, id, build) => open(() => reading.get(model, id, build)),
    getMany: (model, ids, build) => open(() => reading.getMany(model, ids, build)),
    states: (model, ids, build) => open(() => reading.states(model, ids, build)),
    find: (model, query, build) => open(() => reading.find(model, query, build)),
    count: (model, where, build) => open(() => reading.count(model, where, build)),
    countChanged: (model, changed) =>
      open(() => {
        checkPosition(changed.after);
        return reading.countChanged(model, changed);
      }),
    shareCheckpoint: (names) => open(() => shareCheckpoint(context, names)),
    commit: (commits, shared) =>
      open(async () => {
        const results = await commitAll(context, commits, shared);
        reached.settle({ isOwn: true });
        return results;
      }),
    // A document of MongoDB cannot be half a document: the server itself refuses to read a damaged file.
    damaged: () => open(async () => []),
    parked: (model) => open(() => parked.list(model)),
    watch: (watch) => {
      refuseClosed();
      return watching.watch(watch);
    },
    reached: (models, position, timeoutMs) => soon(() => reached.wait(models, position, timeoutMs)),
    readAsOf: (models, position, timeoutMs, read) => soon(() => reached.readAsOf(models, position, timeoutMs, read)),
    close: async () => {
      if (closed) return;
      closed = true;
      await Promise.all([waker?.close(), watching.close(), reached.close(), outbox.settled()]);
    },
  };
}
