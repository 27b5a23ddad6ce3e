/**
 * The worker side of one process: takes what is due and whose turn it is, while there is a place. Woken by the changes of the list of items, by the
 * next time at which something becomes due, and by places that become free.
 */
import { setMaxListeners } from 'node:events';
import { firstOf, systemTimer, type Timer } from '../eventStore/notifier.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createKindQueue, followItems, forgetSettled, type KindQueue, openPlaces } from './kindQueue.ts';
import { createPerformer, type Performer, type WorkLog } from './performer.ts';
import { pick } from './pick.ts';
import { createReadWriteLock } from './readWriteLock.ts';

export type RunnerDeps = {
  readonly kinds: readonly WorkKind[];
  readonly readModels: ReadModels;
  readonly claims: Claims;
  /** Names this run in claims. */
  readonly holder: string;
  /** False as soon as others may take what this run holds. */
  readonly held: () => boolean;
  /** Takes nothing new, breaks off what runs and gives it back. */
  readonly signal: AbortSignal;
  /** UTC ISO. */
  readonly now: () => string;
  readonly timer?: Timer;
  readonly log: WorkLog;
};

/** What one kind does in this process. */
export type KindState = {
  readonly kind: string;
  readonly running: number;
  readonly places: number;
  /** Since the start of this run. */
  readonly tries: number;
  readonly failed: number;
  readonly givenUp: number;
  /** A place that any lane may take has been free since then (UTC ISO); null: there is none. */
  readonly freeSince: string | null;
  /** The same of a place that a lane with nothing in hand may take. */
  readonly idleFreeSince: string | null;
};

export type Runner = {
  state(): readonly KindState[];
  /** The log says that the item is over: whoever works on it here stops. */
  interrupt(kind: string, itemId: string, why: string): void;
  /** Something may be due or free: look again. */
  notifyAll(): void;
  /** Resolves when the signal has aborted and everything was given back. Never rejects. */
  readonly done: Promise<void>;
};

/** Until a lane whose items are all in other hands is looked at again, and until a watch that broke off is begun anew, ms. */
const RETRY_MS = 1_000;
/** Claims of settled items are forgotten so often, ms. */
const FORGET_MS = 5_000;

export function runWork(deps: RunnerDeps): Runner {
  const { kinds, signal, log, timer = systemTimer } = deps;
  setMaxListeners(0, signal);
  const queues = new Map(kinds.map((kind) => [kind.rule.kind, createKindQueue(kind, deps.now())]));
  const lock = createReadWriteLock();
  const performer = createPerformer({ ...deps, lock });
  const later = (ms: number): string => new Date(Date.parse(deps.now()) + ms).toISOString();
  const notifyAll = (): void => {
    for (const queue of queues.values()) queue.notify();
  };

  /** Takes what there is room for; answers when to look again, null: when woken. */
  async function fill(queue: KindQueue): Promise<string | null> {
    const { kind, lanes } = queue;
    queue.notePlaces(deps.now(), lock.isClosed());
    let running: Map<string, number> | null = null;
    while (!signal.aborted && deps.held() && queue.running < kind.parallel && !lock.isClosed()) {
      const now = deps.now();
      const nextAt = lanes.nextDueAt();
      if (nextAt === null || nextAt > now) return nextAt;
      if (running === null) {
        // Who has how much in hand is asked only where something can be taken; by the answer the place may be gone.
        running = new Map(await deps.claims.running(kind.rule.kind));
        continue;
      }
      // Of a kept place the limit is one: only a lane with nothing in hand is below it.
      const limit = queue.running < openPlaces(kind) ? kind.parallelOfLane : 1;
      const lane = lanes.next(now, running, limit);
      // What is due waits for a place of its own lane. When another process lets go of one, nobody tells.
      if (lane === null) return later(RETRY_MS);
      const offers = lanes.offers();
      const found = await pick(deps, { kind: kind.rule.kind, lane, now, retryAt: later(RETRY_MS) });
      if (!found.item) {
        lanes.correct(lane, found.nextAt === null ? null : { dueAt: found.nextAt, rank: 0 }, offers);
        continue;
      }
      // What it waited longest with may be done by now: then it may be another's turn.
      const { dueAt, rank } = found.item;
      if (lanes.correct(lane, { dueAt, rank }, offers) && lanes.next(now, running, limit) !== lane) continue;
      const claim = await deps.claims.take({ item: { ...found.item }, seen: found.claim, holder: deps.holder, laneLimit: limit });
      if (claim === 'taken' || claim === 'lane_full') {
        lanes.correct(lane, { dueAt: later(RETRY_MS), rank }, offers);
        continue;
      }
      running.set(lane, (running.get(lane) ?? 0) + 1);
      begin(queue, performer, found.item, claim);
    }
    return null;
  }

  function begin(queue: KindQueue, { perform }: Performer, item: WorkItem, claim: Parameters<Performer['perform']>[2]): void {
    queue.running += 1;
    queue.tries += 1;
    queue.notePlaces(deps.now(), lock.isClosed());
    void perform(queue.kind, item, claim).then((result) => {
      queue.running -= 1;
      queue.notePlaces(deps.now(), lock.isClosed());
      queue.hasSettled = true;
      if (result === 'failed') queue.failed += 1;
      if (result === 'given_up') queue.givenUp += 1;
      // What is put off is looked at when it is due; the rest of its lane may go on at once.
      queue.lanes.offer(item.lane, { dueAt: deps.now(), rank: item.rank });
      // A place of this process is free, and with it perhaps the way for who has to be alone.
      notifyAll();
    });
  }

  async function keepFilling(queue: KindQueue): Promise<void> {
    while (!signal.aborted) {
      let at: string | null;
      queue.hasNews = false;
      try {
        at = await fill(queue);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error, kind: queue.kind.rule.kind }, 'the list of work could not be read; it is tried again');
        at = later(RETRY_MS);
      }
      const ms = at === null ? null : Math.max(0, Date.parse(at) - Date.parse(deps.now()));
      if (queue.hasNews) continue;
      await firstOf([queue.changed, ...(ms === null ? [] : [(notify: () => void) => timer(ms, notify)])], signal);
    }
  }

  /** Over and over, with a pause, until the signal aborts. */
  async function repeat(ms: number, what: string, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, `${what}; it is tried again`);
      });
      await firstOf([(notify) => timer(ms, notify)], signal);
    }
  }

  const loops = Promise.all([
    repeat(RETRY_MS, 'the list of work could not be followed', () => followItems(deps.readModels, queues, signal)),
    repeat(FORGET_MS, 'settled claims could not be removed', () => forgetSettled(deps, queues)),
    ...[...queues.values()].map(keepFilling),
  ]);
  return {
    state: () =>
      [...queues.values()].map(({ kind, running, tries, failed, givenUp, freeSince, idleFreeSince }) => ({
        ...{ kind: kind.rule.kind, running, places: kind.parallel, tries, failed, givenUp, freeSince, idleFreeSince },
      })),
    interrupt: performer.interrupt,
    notifyAll,
    done: loops.then(() => performer.idle()),
  };
}
