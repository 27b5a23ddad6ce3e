/**
 * Watches on MongoDB: delivers the outbox's changes, and to a resuming watcher first what it missed, without gaps or
 * repeats.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseWhere } from '../conditions.ts';
import type { Readable } from '../readable.ts';
import type { Change, Position, ReadModels } from '../readModels.ts';
import { type CurrentState, createWatchers, type Watcher } from '../watchers.ts';
import { checkPosition, START } from '../writes.ts';
import type { Batch, OutboxChange } from './mongoBatch.ts';
import type { MongoBuilds } from './mongoBuilds.ts';
import type { Outbox } from './mongoOutbox.ts';
import { type ChangedDocument, changedSince } from './mongoQuery.ts';
import { createTailer, type Tailer } from './mongoTailer.ts';

type WatchOptions = Parameters<ReadModels['watch']>[0];

export type MongoWatching = {
  watch(options: WatchOptions): AsyncIterable<Change>;
  readonly tailer: Tailer;
  begun(): Promise<void>;
  publish(appending: Promise<readonly Batch[]>): Promise<void>;
  close(): Promise<void>;
};

export type MongoWatchingOptions = {
  readonly builds: MongoBuilds;
  readonly readable: Readable;
  readonly outbox: Outbox;
  readonly read: (model: string, id: string) => Promise<CurrentState | null>;
  readonly queueLimit?: number | undefined;
  readonly pollMs: number;
  readonly idleMs: number;
  readonly announcedMs: number;
  readonly onFailure: (error: unknown) => void;
  /** Called after each batch of another process: a checkpoint is about to advance. */
  readonly onForeignBatch: () => void;
};

type Missed = ChangedDocument & { readonly model: string };

type Notice =
  | { readonly entry: OutboxChange; readonly change: Change | null }
  | { readonly model: string; readonly names: readonly ChangedDocument[] };

type Follower = {
  readonly watcher: Watcher;
  /** Changes that arrive while the missed ones are still being determined; null: delivered immediately. */
  held: Notice[] | null;
  /** Delivered by name before the change itself arrived, which is then dropped. */
  readonly listed: Map<string, Position>;
};

/** How long to wait for a commit in progress, so that its changes are delivered individually. */
const SETTLE_MS = 1_000;
const SETTLE_POLL_MS = 5;
const RETRY_MS = 250;
const DELIVERY_TIMEOUT_MS = 1_000;

export function createMongoWatching(options: MongoWatchingOptions): MongoWatching {
  const { builds, outbox, readable } = options;
  const watchers = createWatchers();
  const followers = new Set<Follower>();
  const beginnings = new Set<Promise<void>>();
  /** The last position published of each model. */
  const publishedUpTo = new Map<string, Position>();
  let closed = false;

  const tailer = createTailer({
    outbox,
    onStart: async () => {
      await builds.refresh();
      for (const { model, checkpoint } of builds.serving()) raise(model, checkpoint ?? START);
    },
    take,
    onLost: publishByName,
    onFailure: options.onFailure,
    pollMs: options.pollMs,
    idleMs: options.idleMs,
    announcedMs: options.announcedMs,
  });

  function raise(model: string, position: Position): void {
    if (position > (publishedUpTo.get(model) ?? '')) publishedUpTo.set(model, position);
  }

  function followersOf(model: string): readonly Follower[] {
    return [...followers].filter(({ watcher }) => watcher.models.includes(model));
  }

  async function take(batch: Batch, isOwn: boolean): Promise<void> {
    const { switched } = batch;
    if (switched) {
      await builds.refresh();
      endUnreadable(switched.model);
      const names = await changesOf(switched.model, switched.after, switched.upTo);
      for (const follower of followersOf(switched.model)) pass(follower, { model: switched.model, names });
    }
    for (const entry of batch.changes) {
      const to = followersOf(entry.model);
      const change = to.length > 0 && !entry.isLarge ? asChange(entry) : null;
      for (const follower of to) pass(follower, { entry, change });
      raise(entry.model, entry.position);
    }
    if (!isOwn) options.onForeignBatch();
  }

  /** What another version of the program builds is not for this one. Ends the watches, and their next is refused. */
  function endUnreadable(model: string): void {
    const build = builds.find(model);
    if (!build) return;
    try {
      readable.check(model, build.definition);
    } catch (error) {
      for (const { watcher } of followersOf(model)) watcher.fail(error);
    }
  }

  async function changesOf(model: string, after: Position, upTo?: Position): Promise<readonly ChangedDocument[]> {
    const build = builds.find(model);
    return build && after !== upTo && followersOf(model).length > 0 ? changedSince(build, after, undefined, upTo) : [];
  }

  /** Replaces batches that are gone: publishes the documents they changed, and perhaps some more. */
  async function publishByName(): Promise<void> {
    await builds.refresh();
    for (const model of new Set([...followers].flatMap(({ watcher }) => watcher.models))) {
      const names = await changesOf(model, publishedUpTo.get(model) ?? START);
      for (const follower of followersOf(model)) {
        for (const { id, position } of names) follower.listed.set(`${model}/${id}`, position);
        pass(follower, { model, names });
      }
      raise(model, names.at(-1)?.position ?? START);
    }
  }

  async function begin(follower: Follower, { after, where }: WatchOptions): Promise<void> {
    await tailer.start();
    for (const model of follower.watcher.models) endUnreadable(model);
    const { missed, isSettled } =
      after === undefined ? { missed: [], isSettled: true } : await missedBy(builds, follower.watcher, where);
    // What was committed since the watch began is delivered individually and in order, which requires all of it to be
    // here.
    if (missed.length > 0) await tailer.toEnd();
    release(follower, missed, isSettled);
  }

  /** Retries until it has begun or ended. Writers wait for the first attempt. */
  async function start(follower: Follower, watch: WatchOptions, firstAttempt: () => void): Promise<void> {
    while (!closed && followers.has(follower)) {
      const failure = await begin(follower, watch).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      firstAttempt();
      if (!failure) return;
      if (!closed) options.onFailure(failure.error);
      await sleep(RETRY_MS);
    }
    firstAttempt();
  }

  function watch(watch: WatchOptions): AsyncIterable<Change> {
    if (watch.after !== undefined) checkPosition(watch.after);
    const conditions = parseWhere(watch.where);
    let attempted = () => {};
    const first = new Promise<void>((resolve) => {
      attempted = resolve;
    }).finally(() => beginnings.delete(first));
    beginnings.add(first);
    let follower: Follower | null = null;
    const onEnd = () => follower && followers.delete(follower);
    // Starts after this call, once the follower is registered; does nothing if it has ended by then.
    const begun = Promise.resolve().then(() => follower && start(follower, watch, attempted));
    const watcher = watchers.add({
      ...watch,
      conditions,
      read: options.read,
      queueLimit: options.queueLimit,
      begun,
      onEnd,
    });
    follower = { watcher, held: [], listed: new Map() };
    if (!watch.signal?.aborted) followers.add(follower);
    return watcher;
  }

  async function close(): Promise<void> {
    closed = true;
    watchers.close();
    await tailer.close();
  }

  const begun = async (): Promise<void> => void (await Promise.all(beginnings));
  return { tailer, watch, begun, publish: (appending) => send(tailer, appending), close };
}

/** The tailer itself retries what fails here. */
async function send(tailer: Tailer, appending: Promise<readonly Batch[]>): Promise<void> {
  await tailer.offer(appending);
  const batches = await appending.catch(() => []);
  if (batches.length === 0) return;
  // Others may have written in between. The writer need not wait long: the changes are delivered in any case.
  const stop = new AbortController();
  const timeout = sleep(DELIVERY_TIMEOUT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  await Promise.race([tailer.upTo(Number(batches.at(-1)?._id ?? 0)), timeout]);
  stop.abort();
}

/** The missed changes; `isSettled`: none of them belongs to a commit still in progress, whose batch is yet to come. */
async function missedBy(builds: MongoBuilds, { models, after }: Watcher, where: WatchOptions['where']) {
  for (const startedAt = performance.now(); ; ) {
    await builds.refresh();
    const from = models.map((model) => builds.find(model));
    const lists = await Promise.all(from.map(async (build) => (build ? await changedSince(build, after, where) : [])));
    await builds.refresh();
    const isSame = () => models.every((model, at) => builds.find(model)?.collection === from[at]?.collection);
    const isSettled = () =>
      models.every((model, at) => (lists[at]?.at(-1)?.position ?? '') <= (builds.find(model)?.checkpoint ?? ''));
    const hasTimeLeft = () => performance.now() - startedAt < SETTLE_MS;
    while (isSame() && !isSettled() && hasTimeLeft()) {
      await sleep(SETTLE_POLL_MS);
      await builds.refresh();
    }
    if (!isSame() && hasTimeLeft()) continue;
    const missed = models.flatMap((model, at): Missed[] => (lists[at] ?? []).map((row) => ({ model, ...row })));
    return { missed: missed.sort(byPosition), isSettled: isSettled() };
  }
}

function release(follower: Follower, missed: readonly Missed[], isSettled: boolean): void {
  const held = follower.held ?? [];
  follower.held = null;
  const live = new Map<string, Position>();
  for (const notice of held)
    if ('entry' in notice) live.set(`${notice.entry.model}/${notice.entry.id}`, notice.entry.position);
  const names = missed.filter(({ model, id, position }) => (live.get(`${model}/${id}`) ?? '') < position);
  let next = 0;
  const deliverNames = (upTo?: Position): void => {
    for (let name = names[next]; name && (upTo === undefined || name.position <= upTo); name = names[++next]) {
      follower.watcher.pushName(name.model, name.id, name.position);
      if (!isSettled) follower.listed.set(`${name.model}/${name.id}`, name.position);
    }
  };
  // Both are in log order, and so is the delivery: a later name must not precede an earlier change.
  for (const notice of held) {
    if ('entry' in notice) deliverNames(notice.entry.position);
    deliver(follower, notice);
  }
  deliverNames();
}

function pass(follower: Follower, notice: Notice): void {
  if (follower.held) follower.held.push(notice);
  else deliver(follower, notice);
}

function deliver({ watcher, listed }: Follower, notice: Notice): void {
  if ('names' in notice) {
    for (const { id, position } of notice.names)
      if (position > watcher.after) watcher.pushName(notice.model, id, position);
    return;
  }
  const { model, id, position } = notice.entry;
  const key = `${model}/${id}`;
  if (listed.size > 0 && position <= (listed.get(key) ?? '')) return;
  listed.delete(key);
  if (notice.change) watcher.push(notice.change);
  else watcher.pushName(model, id, position);
}

function asChange({ model, id, kind, position, data, old }: OutboxChange): Change {
  return { model, id, kind, data: parsed(data), old: parsed(old), position };
}

function parsed(json: string | null): object | null {
  return json === null ? null : (JSON.parse(json) as object);
}

function byPosition(a: Missed, b: Missed): number {
  return a.position < b.position ? -1 : a.position > b.position ? 1 : 0;
}
