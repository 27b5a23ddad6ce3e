/** The loop by which one process fills the free slots of a kind: choose, read, claim; the next on conflict. */
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import type { KindQueue } from './kindQueue.ts';
import { limitNow, nextItem, type Slots, type Waiting } from './nextItem.ts';
import { type Found, pick } from './pick.ts';
import { stateOf } from './waiting.ts';

export type FillDeps = {
  readonly readModels: ReadModels;
  readonly claims: Claims;
  /** Names this run in claims. */
  readonly holder: string;
  /** False as soon as others may take the claims of this run. */
  readonly held: () => boolean;
  /** Takes no new work, interrupts running work and returns it. */
  readonly signal: AbortSignal;
  /** UTC ISO. */
  readonly now: () => string;
  /** An item that ended its process before is in progress here. */
  readonly isAlone: () => boolean;
  /** Until when nothing may begin, as the log cannot be written (UTC ISO); null: it can. */
  readonly closedUntil: () => string | null;
  /** Called for each claim, which takes a slot until the promise resolves. */
  readonly begin: (queue: KindQueue, item: WorkItem, claim: Claim) => Promise<unknown>;
};

/** Delay before looking again at what other processes may have changed, and before retrying what failed, ms. */
export const RETRY_MS = 1_000;
export const retryAt = (now: string): string => new Date(Date.parse(now) + RETRY_MS).toISOString();

/** How many of a process's slots the items of one network may have. */
export const networkLimit = ({ parallel }: Pick<WorkKind, 'parallel'>): number => Math.max(1, Math.floor(parallel / 2));

/** 00:00 UTC of that day. */
export const dayOf = (now: string): string => `${now.slice(0, 10)}T00:00:00.000Z`;

export type Filling = {
  /**
   * Begins items until there is no free slot or nothing that may have one. Returns when to check again (UTC ISO), null:
   * when woken. @throws the store's error
   */
  readonly fill: (queue: KindQueue) => Promise<string | null>;
  /** Whether an item that waits would begin if this one gave up its slot. @throws the store's error */
  readonly isSlotWanted: (queue: KindQueue, item: WorkItem) => Promise<boolean>;
};

export function createFill(deps: FillDeps): Filling {
  const { claims, begin } = deps;
  const mayTake = (): boolean => !deps.signal.aborted && deps.held();

  async function fill(queue: KindQueue): Promise<string | null> {
    const { kind, waiting } = queue;
    let knownUntil = '';
    for (;;) {
      const now = deps.now();
      const closedUntil = deps.closedUntil();
      queue.notePlaces(now, closedUntil !== null || deps.isAlone());
      if (!mayTake() || queue.running >= kind.parallel) return null;
      const dueAt = waiting.nextDueAt();
      if (dueAt === null || dueAt > now) return dueAt;
      if (closedUntil !== null) return closedUntil;
      // Holdings of other processes begin and end, which is not seen here.
      if (knownUntil <= now) {
        queue.byLane = new Map(await claims.running(kind.rule.kind));
        knownUntil = retryAt(deps.now());
      }
      const slots = slotsOf(queue);
      const next = nextItem(waiting.all(), slots);
      // What is due waits for a slot of its own lane. A release by another process sends no notification.
      if (next === null) return retryAt(now);
      await takeFrom(queue, next, slots);
    }
  }

  function slotsOf({ kind, running, byLane, byNetwork, hadToday }: KindQueue): Slots {
    const now = deps.now();
    return {
      now,
      free: kind.parallel - running,
      reserved: kind.keptForIdle ?? 0,
      alone: deps.isAlone(),
      running: byLane,
      limit: kind.parallelOfLane,
      networks: byNetwork,
      networkLimit: networkLimit(kind),
      hadToday: hadToday(now),
    };
  }

  /** Whatever comes of it, the lane is then known better, and the choice may fall on another. */
  async function takeFrom(queue: KindQueue, { lane }: Waiting, slots: Slots): Promise<void> {
    const { waiting, byLane } = queue;
    const offers = waiting.offers();
    const { first, next } = await look(queue, lane, slots);
    if (first === null) return;
    // What was known of the lane is outdated if its longest waiting item is done: then another lane may come first.
    if (nextItem(waiting.all(), slotsOf(queue))?.lane !== lane || !mayTake()) return;
    const before = byLane.get(lane) ?? 0;
    const { kind, itemId, opening } = first.item;
    const claim = await claims.take({
      item: { kind, itemId, opening, lane },
      seen: first.claim,
      holder: deps.holder,
      laneLimit: limitNow(slots),
      running: before,
    });
    // Another process was faster with the last slot of the lane, or with this item.
    if (claim === 'lane_full') return void byLane.set(lane, limitNow(slots));
    if (claim === 'taken') {
      const isMore = next !== null && next.dueAt <= slots.now;
      return waiting.correct(lane, isMore ? next : { ...stateOf(first.item), dueAt: retryAt(deps.now()) }, offers);
    }
    waiting.correct(lane, next, offers);
    byLane.set(lane, before + 1);
    if (slots.reserved > 0) queue.hadToday(slots.now).add(lane);
    void begin(queue, first.item, claim).then(() => byLane.set(lane, (byLane.get(lane) ?? 1) - 1));
  }

  /** What the lane has that may begin in one of these slots. */
  async function look({ kind, waiting, hadToday }: KindQueue, lane: string, slots: Slots): Promise<Found> {
    const { now } = slots;
    if (slots.free <= slots.reserved && (await kind.hadSince?.(lane, dayOf(now)))) {
      hadToday(now).add(lane);
      return { first: null, next: null };
    }
    const offers = waiting.offers();
    const query = { kind: kind.rule.kind, lane, holder: deps.holder, now, retryAt: retryAt(deps.now()) };
    const found = await pick(deps, query);
    waiting.correct(lane, found.first ? stateOf(found.first.item) : found.next, offers);
    return found;
  }

  async function isSlotWanted(queue: KindQueue, { lane, network = '' }: WorkItem): Promise<boolean> {
    // What may begin without this slot begins by itself.
    if (deps.closedUntil() !== null || nextItem(queue.waiting.all(), slotsOf(queue)) !== null) return false;
    queue.byLane = new Map(await claims.running(queue.kind.rule.kind));
    for (;;) {
      const slots = slotsOf(queue);
      const running = oneLess(slots.running, lane);
      const networks = oneLess(slots.networks, network);
      const without = { ...slots, free: slots.free + 1, running, networks };
      const next = nextItem(queue.waiting.all(), without);
      if (next === null) return false;
      if ((await look(queue, next.lane, without)).first !== null) return true;
    }
  }

  return { fill, isSlotWanted };
}

function oneLess(counts: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  return new Map(counts).set(name, Math.max(0, (counts.get(name) ?? 0) - 1));
}
