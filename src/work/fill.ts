/** How one process fills the free slots of a kind with due items, in the order of their lanes. */
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { WorkItem } from './kind.ts';
import { type KindQueue, openPlaces } from './kindQueue.ts';
import { pick } from './pick.ts';
import type { ReadWriteLock } from './readWriteLock.ts';

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
  /** Closed while an item runs alone in this process. */
  readonly lock: Pick<ReadWriteLock, 'isClosed'>;
  /** Called for each claim, which takes a slot until the promise resolves. */
  readonly begin: (queue: KindQueue, item: WorkItem, claim: Claim) => Promise<unknown>;
};

/** What is known while slots are being filled. */
type Filling = {
  readonly queue: KindQueue;
  /** Holdings by lane, across all processes. */
  readonly running: Map<string, number>;
  /** Lanes from which an item is being taken here. */
  readonly inHand: Set<string>;
};

/** Delay before re-checking a lane whose items are all claimed elsewhere, and before restarting a watch that broke, ms. */
export const RETRY_MS = 1_000;
export const retryAt = (now: string): string => new Date(Date.parse(now) + RETRY_MS).toISOString();

/**
 * Takes as many items as there are slots: of several lanes at the same time, since each claim takes a few queries, and never two of a lane. Returns when to
 * check again (UTC ISO), null: when woken.
 * @throws the store's error once nothing is being taken any more
 */
export function createFill(deps: FillDeps): (queue: KindQueue) => Promise<string | null> {
  const { signal, held, lock, claims, begin } = deps;

  async function fill(queue: KindQueue): Promise<string | null> {
    const { kind, lanes } = queue;
    queue.notePlaces(deps.now(), lock.isClosed());
    const takings = new Set<Promise<void>>();
    const inHand = new Set<string>();
    const failures: unknown[] = [];
    let filling: Filling | null = null;
    /** Holdings of other processes end, which is not seen here: then all of them are read again. */
    let knownUntil: string | null = null;
    for (;;) {
      const inUse = queue.running + takings.size;
      const now = deps.now();
      const isOutdated = knownUntil !== null && knownUntil <= now;
      const isOpen = !isOutdated && failures.length === 0 && !signal.aborted && held() && inUse < kind.parallel && !lock.isClosed();
      const nextAt = isOpen ? lanes.nextDueAt() : null;
      const isDue = nextAt !== null && nextAt <= now;
      // The holdings per lane are read only if something can be taken; by the time of the response the slot may be taken.
      if (isDue && filling === null) {
        filling = { queue, running: new Map(await claims.running(kind.rule.kind)), inHand };
        knownUntil = retryAt(deps.now());
        continue;
      }
      // For a reserved slot the limit is one: only a lane with nothing in progress is below it.
      const limit = inUse < openPlaces(kind) ? kind.parallelOfLane : 1;
      const lane = isDue && filling ? lanes.next(now, filling.running, limit, inHand) : null;
      if (lane !== null && filling) {
        inHand.add(lane);
        const taking: Promise<void> = take(filling, lane, limit, now)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => {
            inHand.delete(lane);
            takings.delete(taking);
          });
        takings.add(taking);
      } else if (takings.size > 0) await Promise.race(takings);
      else if (failures.length > 0) throw failures[0];
      else if (isOutdated) return now;
      // The due items wait for a slot of their own lane. A release by another process sends no notification.
      else return isDue ? retryAt(now) : nextAt;
    }
  }

  /** Takes one item of the lane, if it has one that comes next. `limit`: of the lane's holdings, this one included. */
  async function take({ queue, running, inHand }: Filling, lane: string, limit: number, now: string): Promise<void> {
    const { kind, lanes } = queue;
    const add = (holdings: number): void => {
      const sum = (running.get(lane) ?? 0) + holdings;
      if (sum > 0) running.set(lane, sum);
      else running.delete(lane);
    };
    const offers = lanes.offers();
    const found = await pick(deps, { kind: kind.rule.kind, lane, holder: deps.holder, now, retryAt: retryAt(deps.now()) });
    if (!found.item) return void lanes.correct(lane, found.next, offers);
    const { dueAt, rank } = found.item;
    // Its longest waiting item may be done by now: then another lane may come first.
    const isLater = lanes.correct(lane, { dueAt, rank }, offers);
    const others = new Set([...inHand].filter((each) => each !== lane));
    if (isLater && lanes.next(now, running, limit, others) !== lane) return;
    const claim = await claims.take({ item: { ...found.item }, seen: found.claim, holder: deps.holder, laneLimit: limit, running: running.get(lane) ?? 0 });
    // Another process was faster with this item: the lane may have a next one, which is found at once.
    if (claim === 'taken') return;
    // A slot that is released in another process sends no notification.
    if (claim === 'lane_full') return void lanes.correct(lane, { dueAt: retryAt(deps.now()), rank }, offers);
    lanes.correct(lane, found.next, offers);
    add(1);
    void begin(queue, found.item, claim).then(() => add(-1));
  }

  return fill;
}
