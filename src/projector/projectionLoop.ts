/** The loop behind `runProjections`: which lanes exist, what feeds them, and when one replaces another. */
import pLimit from 'p-limit';
import {
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  type SubscriptionMessage,
} from '../eventStore/eventStore.ts';
import { createPace, type Pace } from '../eventStore/pacing.ts';
import type { AnyProjection } from '../projections/projection.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { batchesOf } from './batches.ts';
import { createOrigins, type Origin } from './builtFrom.ts';
import { applyBatch, buildOf, type Lane, lowestCheckpoint, openLane } from './projectionLane.ts';
import {
  createDeferred,
  defaultBackoffMs,
  pause,
  type RetryPolicy,
  retryUntilDone,
  untilAborted,
} from './projectionPace.ts';
import { fillLanes, isBuildOf, nextBuild } from './rebuild.ts';

/** Compatible with pino. */
type ProjectionLog = Readonly<Record<'info' | 'warn' | 'error', (details: object, message: string) => void>>;

export type ProjectionsOptions = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  /** Stops the loop after the current batch. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log?: ProjectionLog;
  /** Maximum number of events per commit. Default 200. */
  readonly batchSize?: number;
  /** Rebuild every model, whatever currently serves. */
  readonly fromZero?: boolean;
  /** Called after each batch: where it ended, and its number of events. */
  readonly onProgress?: (progress: { readonly position: Position; readonly events: number }) => void;
  /**
   * Delay before attempt number `attempt` after a store failure, in ms. Default: 0.1 s, doubled each time up to 30 s.
   */
  readonly backoffMs?: (attempt: number) => number;
  /** How often to check that the builds still exist, in ms. Default 1,000. */
  readonly pollMs?: number;
};

const POLL_MS = 1_000;
/** A model that is damaged again was damaged by its disk: building it without end would only wear that out. */
const HEAL_AGAIN_MS = 60_000;

export type Loop = ReturnType<typeof createLoop>;

export function createLoop(options: ProjectionsOptions) {
  const { projections } = options;
  const filter: EventFilter = {
    types: [...new Set(projections.flatMap((projection) => projection.handles as readonly string[]))],
  };
  return {
    options,
    filter,
    batchSize: options.batchSize ?? 200,
    parkedAt: () => new Date(options.now()).toISOString(),
    exclusive: pLimit(1),
    /** Serving lanes, fed by the subscription. */
    live: [] as Lane[],
    /** Lanes being filled, each fed by its own reader. */
    building: new Set<Lane>(),
    /** The shared checkpoint speaks for exactly these. */
    isShared: false,
    /** Position up to which the subscription has been applied to `live`. */
    livePosition: START as Position,
    term: openTerm(options),
    caughtUp: createDeferred(),
    filled: createDeferred(),
    /** Builds in progress, by model. */
    rebuilds: new Map<string, Promise<void>>(),
    /** When a damaged model was last built again, by model. */
    healedAt: new Map<string, number>(),
  };
}

/** From opening the lanes until the loop is stopped or their builds are lost. */
function openTerm({ signal, backoffMs = defaultBackoffMs, log }: ProjectionsOptions) {
  const lost = new AbortController();
  const ending = AbortSignal.any([signal, lost.signal]);
  const term = {
    signal: ending,
    retryPolicy: {
      signal: ending,
      backoffMs,
      onFailure: (error: unknown, attempt: number) => {
        term.isDoubtful ||= (error as { code?: unknown } | null)?.code === 'UNKNOWN_BUILD';
        log?.error({ err: error, attempt }, 'A store failed under the projections; they try again');
      },
    } satisfies RetryPolicy,
    firstLive: createDeferred(),
    /** A write went to a build that the store does not know. */
    isDoubtful: false,
    end: () => lost.abort(),
  };
  return term;
}

/** Opens the lanes and keeps feeding them until the signal aborts. */
export async function runLoop(loop: Loop): Promise<void> {
  try {
    await runLanes(loop);
  } catch (error) {
    loop.options.log?.error({ err: error }, 'The projections have ended');
    throw error;
  }
}

async function runLanes(loop: Loop): Promise<void> {
  for (;;) {
    await runTerm(loop);
    if (loop.options.signal.aborted) return;
    loop.options.log?.warn({}, 'The read models are gone from their store: they are being rebuilt');
    loop.live.length = 0;
    loop.isShared = false;
    loop.building.clear();
    loop.livePosition = START;
    loop.term = openTerm(loop.options);
  }
}

async function runTerm(loop: Loop): Promise<void> {
  const { readModels, projections } = loop.options;
  const { signal, retryPolicy, end } = loop.term;
  await retryUntilDone(retryPolicy, () => openLanes(loop));
  const names = [...loop.building].map((lane) => lane.projection.name);
  const initial = fill(loop, [...loop.building]).then(async () => {
    if (signal.aborted) return;
    loop.filled.resolve();
    // What this version has no projection for is kept up by nobody, and holds data of accounts deleted since.
    await retryUntilDone(retryPolicy, () => readModels.retain(projections.map(({ name }) => name)));
  });
  for (const name of names) trackRebuild(loop, name, initial);
  await Promise.all([initial, follow(loop), detectLoss(loop)]).finally(end);
  await Promise.allSettled(loop.rebuilds.values());
}

/** The store may be deleted while the loop runs. No data is lost: everything can be projected again. */
async function detectLoss(loop: Loop): Promise<void> {
  const { term, options } = loop;
  while (!term.signal.aborted) {
    await pause(options.pollMs ?? POLL_MS, term.signal);
    // An unresponsive store is not a loss; those who need it will report it.
    if (!term.signal.aborted && (await isLost(loop).catch(() => false))) term.end();
    if (!term.signal.aborted) await heal(loop).catch(() => undefined);
  }
}

/** Builds models with damaged documents again: one build for however many there are. */
async function heal(loop: Loop): Promise<void> {
  const { readModels, projections, now, log } = loop.options;
  const damaged = new Set(await readModels.damaged());
  const due = projections.filter(
    ({ name }) =>
      damaged.has(name) &&
      !loop.rebuilds.has(name) &&
      now() - (loop.healedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= HEAL_AGAIN_MS,
  );
  if (due.length === 0) return;
  for (const { name } of due) {
    loop.healedAt.set(name, now());
    log?.error({ model: name }, 'A document of the read model is damaged: the model is being built again');
  }
  const begun = rebuildModels(loop, due);
  for (const { name } of due) trackRebuild(loop, name, begun);
  begun.catch((error: unknown) => log?.warn({ err: error }, 'A damaged read model could not be rebuilt; retrying'));
}

/** Whether a model no longer has a serving build. One that another process serves instead is left alone. */
async function isLost({ options, term, live, building }: Loop): Promise<boolean> {
  const { readModels } = options;
  const models = [...live, ...(term.isDoubtful ? building : [])].map((lane) => lane.projection.name);
  const serving = await Promise.all(models.map((model) => readModels.serving(model)));
  return serving.includes(null);
}

async function openLanes(loop: Loop): Promise<void> {
  const originOf = await createOrigins({ ...loop.options, filter: loop.filter });
  const isOpen = (projection: AnyProjection) =>
    [...loop.live, ...loop.building].some((lane) => lane.projection === projection);
  for (const projection of loop.options.projections)
    if (!isOpen(projection)) await openProjection(loop, projection, originOf);
  if (loop.live.length > 0) loop.term.firstLive.resolve();
}

const REBUILT_AS: Readonly<Record<Exclude<Origin, 'this_log'>, string>> = {
  ahead:
    'The read model is ahead of the event log, which was replaced or restored from an older copy: it is being rebuilt',
  foreign:
    'The read model was built from another event log, such as a copy that went on by itself: it is being rebuilt',
  doubtful: 'The read model does not fit the event log, which was replaced: it is being rebuilt',
};

/** Resumes the serving build if this version of the projection filled it; otherwise fills a new one next to it. */
async function openProjection(
  loop: Loop,
  projection: AnyProjection,
  originOf: (projection: AnyProjection, build: string) => Promise<Origin>,
): Promise<void> {
  const { readModels, fromZero = false, log } = loop.options;
  const { name } = projection;
  const serving = await readModels.serving(name);
  const current = isBuildOf(projection, serving);
  const origin = serving === null ? 'this_log' : await originOf(projection, serving);
  if (current && !fromZero && origin === 'this_log') {
    // Serving it again removes what an interrupted rebuild left behind.
    await readModels.serve(name, serving);
    loop.live.push(await openLane(readModels, projection, serving));
    return;
  }
  if (serving !== null) await assertLog(loop.options, name, serving);
  if (origin !== 'this_log') log?.warn({ model: name, build: serving }, REBUILT_AS[origin]);
  // Served meanwhile, it would answer with what never happened in this log.
  const isGone = serving !== null && origin === 'foreign';
  if (isGone) await readModels.drop(name, serving);
  const build = nextBuild(projection, isGone ? null : serving);
  const left = await readModels.checkpoint(name, build);
  // Without a checkpoint there is at most what an interrupted removal has left, perhaps of another log.
  const isKept = !fromZero && !current && left !== null && (await originOf(projection, build)) === 'this_log';
  if (!isKept) await readModels.drop(name, build);
  loop.building.add(await openLane(readModels, projection, build));
  log?.info({ model: name, build, serving, from: isKept ? left : START }, 'A build of the read model is being filled');
}

/** Without a log, the read model may be the last copy of what was in it. @throws Error, so that it stays as it is */
async function assertLog({ store, readModels }: ProjectionsOptions, model: string, serving: string): Promise<void> {
  const { documents } = await readModels.find(model, { limit: 1 }, serving);
  if (documents.length === 0) return;
  const { events, end } = await store.readAll({ limit: 1 });
  if (events.length === 0 && end)
    throw new Error(`The event log is empty, but the read model ${model} is not: it is not rebuilt from nothing.`);
}

/** The subscription that feeds the serving lanes. */
async function follow(loop: Loop): Promise<void> {
  const { store } = loop.options;
  const { signal, retryPolicy, firstLive } = loop.term;
  await untilAborted(firstLive.promise, signal);
  await retryUntilDone(retryPolicy, async (progress) => {
    const messages = store.subscribe({
      after: lowestCheckpoint(loop.live),
      filter: loop.filter,
      batchSize: loop.batchSize,
      signal,
    });
    const pace = createPace('background');
    for await (const message of messages) {
      await applyMessage(loop, message, pace);
      progress();
      if (message.kind === 'caughtUp') loop.caughtUp.resolve();
      if (signal.aborted) return;
      await pace.pass();
    }
    if (!signal.aborted) throw new Error('The subscription ended by itself.');
  });
}

async function applyMessage(loop: Loop, message: SubscriptionMessage, pace: Pace): Promise<void> {
  if (message.kind !== 'events') return loop.exclusive(() => applyLive(loop, [], message.position));
  for (const events of batchesOf(loop.live, message.events)) {
    const upTo = events.at(-1)?.position;
    if (upTo === undefined || loop.term.signal.aborted) return;
    await loop.exclusive(() => applyLive(loop, events, upTo));
    await pace.pass();
  }
}

async function applyLive(loop: Loop, events: readonly RecordedEvent[], upTo: Position): Promise<void> {
  await shareCheckpoint(loop);
  try {
    await apply(loop, loop.live, 'shared', events, upTo);
  } catch (error) {
    // Perhaps because another process has changed which builds share the checkpoint.
    loop.isShared = false;
    throw error;
  }
  if (upTo > loop.livePosition) loop.livePosition = upTo;
}

/** Before the first batch, and again whenever the serving builds have changed. */
async function shareCheckpoint(loop: Loop): Promise<void> {
  if (loop.isShared) return;
  await loop.options.readModels.shareCheckpoint(loop.live.map(buildOf));
  loop.isShared = true;
}

async function apply(
  loop: Loop,
  lanes: readonly Lane[],
  kept: 'own' | 'shared',
  events: readonly RecordedEvent[],
  upTo: Position,
): Promise<void> {
  const { readModels, log, onProgress } = loop.options;
  const parked = await applyBatch(readModels, lanes, { events, upTo }, loop.parkedAt, kept);
  for (const record of parked)
    log?.error({ ...record }, 'An event could not be applied to a document, which is frozen until a retry');
  onProgress?.({ position: upTo, events: events.length });
}

/** Fills these lanes until they serve. */
async function fill(loop: Loop, lanes: readonly Lane[]): Promise<void> {
  const { store } = loop.options;
  const { signal, retryPolicy } = loop.term;
  await retryUntilDone(retryPolicy, async (progress) => {
    const missing = lanes.filter((lane) => loop.building.has(lane));
    if (missing.length === 0) return;
    await fillLanes(missing, {
      store,
      filter: loop.filter,
      batchSize: loop.batchSize,
      signal,
      apply: (some, events, upTo) => apply(loop, some, 'own', events, upTo),
      handOver: (some, upTo) => loop.exclusive(() => handOver(loop, some, upTo)),
      progress,
    });
  });
}

/**
 * No batch is applied during this. The new builds take over once they are at least as far as the subscription; their
 * checkpoints skip the events in between.
 */
async function handOver(loop: Loop, lanes: readonly Lane[], upTo: Position): Promise<boolean> {
  if (upTo < loop.livePosition) return false;
  loop.isShared = false;
  for (const lane of lanes) {
    await loop.options.readModels.serve(lane.projection.name, lane.build);
    const before = loop.live.findIndex((other) => other.projection === lane.projection);
    if (before >= 0) loop.live.splice(before, 1);
    loop.live.push(lane);
    loop.building.delete(lane);
    loop.options.log?.info(
      { model: lane.projection.name, build: lane.build, checkpoint: lane.checkpoint },
      'A build of the read model now serves',
    );
  }
  loop.term.firstLive.resolve();
  return true;
}

/** Tracks a build in progress, so that another request joins it. */
export function trackRebuild(loop: Loop, model: string, rebuild: Promise<void>): void {
  const forget = () => {
    if (loop.rebuilds.get(model) === rebuild) loop.rebuilds.delete(model);
  };
  loop.rebuilds.set(model, rebuild);
  rebuild.then(forget, forget);
}

/** Rebuilds the models next to the serving builds, until the new ones take over. */
export async function rebuildModels(loop: Loop, projections: readonly AnyProjection[]): Promise<void> {
  const { readModels } = loop.options;
  const lanes: Lane[] = [];
  try {
    for (const projection of projections) {
      const build = nextBuild(projection, await readModels.serving(projection.name));
      await readModels.drop(projection.name, build);
      const lane = await openLane(readModels, projection, build);
      loop.building.add(lane);
      lanes.push(lane);
    }
    await fill(loop, lanes);
    if (lanes.some((lane) => loop.building.has(lane)))
      throw new Error('The projections were stopped before the new builds were complete.');
  } finally {
    for (const lane of lanes) loop.building.delete(lane);
  }
}
