/** How one process fills the free slots of a kind with due items, in the order of their lanes. */
import { createNotifier, firstOf, type Notifier } from '../eventStore/notifier.ts';
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { WorkItem } from './kind.ts';
import { type KindQueue, openPlaces } from './kindQueue.ts';
import { shareOf } from './lanes.ts';
import { EXCLUSIVE_AFTER } from './performer.ts';
import { pick, type Takeable } from './pick.ts';
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
  /** Lanes from which items are being taken here, each with the slots kept for it meanwhile. */
  readonly inHand: Map<string, number>;
  /** Those of them whose items have been chosen. */
  readonly chosen: Set<string>;
  /** Those of them that are read without a slot, in their order: in case the ones before give nothing. */
  readonly scouted: Set<string>;
  /** How many lanes have given nothing since one gave something. */
  misses: number;
  readonly ended: Notifier;
};

/** What a chosen lane gave. `no_slot`: no slot left. */
type Outcome = 'begun' | 'nothing' | 'no_slot';

/**
 * The most lanes read without a slot. None as long as each lane gives something; where other processes are faster with
 * one after the other, reading the next ones only then would leave the slot free for as long as all of that takes.
 */
const MOST_SCOUTED = 4;

/**
 * Delay before re-checking a lane whose items are all claimed elsewhere, and before restarting a watch that broke, ms.
 */
export const RETRY_MS = 1_000;
export const retryAt = (now: string): string => new Date(Date.parse(now) + RETRY_MS).toISOString();

/** Slots kept for lanes in hand. */
const kept = ({ inHand }: Pick<Filling, 'inHand'>): number =>
  [...inHand.values()].reduce((sum, places) => sum + places, 0);

function add(counts: Map<string, number>, lane: string, by: number): void {
  const sum = (counts.get(lane) ?? 0) + by;
  if (sum > 0) counts.set(lane, sum);
  else counts.delete(lane);
}

/** The items up to one that may have to run alone in its process: begun together, the others would keep it waiting. */
function together(items: readonly Takeable[]): readonly Takeable[] {
  const first = items.findIndex(
    ({ claim }) => claim !== null && claim.vanishings + (claim.vanished ? 1 : 0) >= EXCLUSIVE_AFTER,
  );
  return first === -1 ? items : items.slice(0, Math.max(1, first));
}

/**
 * Takes as many items as there are slots: of several lanes at the same time, since each claim takes a few queries, and
 * of each lane what one reading of it shows, up to its share. Returns when to check again (UTC ISO), null: when woken.
 * @throws the store's error once nothing is being taken any more
 */
export function createFill(deps: FillDeps): (queue: KindQueue) => Promise<string | null> {
  const { signal, held, lock, claims, begin } = deps;
  const mayTake = (): boolean => !signal.aborted && held() && !lock.isClosed();

  async function fill(queue: KindQueue): Promise<string | null> {
    const { kind, lanes } = queue;
    queue.notePlaces(deps.now(), lock.isClosed());
    const inHand = new Map<string, number>();
    const ended = createNotifier();
    // Not the signal of the run: what is being taken when that aborts is waited for.
    const { signal: never } = new AbortController();
    const failures: unknown[] = [];
    let filling: Filling | null = null;
    /** Holdings of other processes end, which is not seen here: then all of them are read again. */
    let knownUntil: string | null = null;
    for (;;) {
      // A slot that becomes free is for the lanes that were read for it.
      const inUse = queue.running + kept({ inHand }) + (filling?.scouted.size ?? 0);
      const isFull = inUse >= kind.parallel;
      const now = deps.now();
      const isOutdated = knownUntil !== null && knownUntil <= now;
      const isOpen = !isOutdated && failures.length === 0 && mayTake() && (!isFull || mayScout(filling));
      const nextAt = isOpen ? lanes.nextDueAt() : null;
      const isDue = nextAt !== null && nextAt <= now;
      // The holdings per lane are read only if something can be taken; by the time of the response the slot may be
      // taken.
      if (isDue && filling === null) {
        filling = {
          queue,
          running: new Map(await claims.running(kind.rule.kind)),
          inHand,
          chosen: new Set(),
          scouted: new Set(),
          misses: 0,
          ended,
        };
        knownUntil = retryAt(deps.now());
        continue;
      }
      // For a reserved slot the limit is one: only a lane with nothing in progress is below it.
      const limit = inUse < openPlaces(kind) ? kind.parallelOfLane : 1;
      const lane = isDue && filling ? lanes.next(now, filling.running, limit, new Set(inHand.keys())) : null;
      if (lane !== null && filling) {
        const current: Filling = filling;
        inHand.set(lane, isFull ? 0 : 1);
        if (isFull) current.scouted.add(lane);
        void take(current, lane, limit, now)
          .then((outcome) => noteOutcome(current, outcome))
          .catch((error: unknown) => void failures.push(error))
          .finally(() => {
            inHand.delete(lane);
            current.scouted.delete(lane);
            ended.notify();
          });
        // A change may free a slot, or be an item of another lane.
      } else if (inHand.size > 0) await firstOf([ended.listen, queue.changed], never);
      else if (failures.length > 0) throw failures[0];
      else if (isOutdated) return now;
      // The due items wait for a slot of their own lane. A release by another process sends no notification.
      else return isDue ? retryAt(now) : nextAt;
    }
  }

  /** Takes the items of the lane that come next, if any. `limit`: of the lane's holdings, these included. */
  async function take(filling: Filling, lane: string, limit: number, now: string): Promise<Outcome> {
    const { queue, running } = filling;
    const { kind, lanes } = queue;
    const offers = lanes.offers();
    const most = limit - (running.get(lane) ?? 0);
    const found = await pick(deps, {
      kind: kind.rule.kind,
      lane,
      holder: deps.holder,
      most,
      now,
      retryAt: retryAt(deps.now()),
    });
    const [first] = found.items;
    if (!first) {
      lanes.correct(lane, found.next, offers);
      return 'nothing';
    }
    const { dueAt, rank } = first.item;
    // Its longest waiting item may be done by now: then another lane may come first.
    const isLater = lanes.correct(lane, { dueAt, rank }, offers);
    if (filling.scouted.has(lane) && !((await hasSlot(filling, lane)) && mayTake())) return 'no_slot';
    const share = shareNow(filling, lane, limit, now);
    if (isLater && share === 0) return 'nothing';
    const taken = together(found.items).slice(0, Math.max(1, share));
    const outcomes = await claimAll(filling, lane, limit, taken);
    // Another process was faster with some: the lane may have next ones, which are found at once.
    if (!outcomes.includes('taken')) {
      // A slot that is released in another process sends no notification.
      const isFull = outcomes.includes('lane_full');
      lanes.correct(
        lane,
        isFull ? { dueAt: retryAt(deps.now()), rank } : (found.items[taken.length]?.item ?? found.next),
        offers,
      );
    }
    return outcomes.includes('begun') ? 'begun' : 'nothing';
  }

  /** Claims at the same time; what was claimed begins at once. @throws the store's error once all were tried */
  async function claimAll(
    { queue, running, inHand, chosen }: Filling,
    lane: string,
    limit: number,
    items: readonly Takeable[],
  ): Promise<readonly string[]> {
    inHand.set(lane, items.length);
    chosen.add(lane);
    const before = running.get(lane) ?? 0;
    const tries = items.map(async ({ item, claim: seen }, nth) => {
      const claim = await claims.take({
        item: { ...item },
        seen,
        holder: deps.holder,
        laneLimit: limit,
        running: before + nth,
      });
      if (typeof claim === 'string') return claim;
      inHand.set(lane, (inHand.get(lane) ?? 1) - 1);
      add(running, lane, 1);
      void begin(queue, item, claim).then(() => add(running, lane, -1));
      return 'begun';
    });
    const outcomes = await Promise.allSettled(tries);
    chosen.delete(lane);
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  return fill;
}

/** Only beside lanes that have a slot and may give nothing, too. */
function mayScout(filling: Filling | null): boolean {
  return filling !== null && kept(filling) > 0 && filling.scouted.size < Math.min(filling.misses, MOST_SCOUTED);
}

function noteOutcome(filling: Filling, outcome: Outcome): void {
  if (outcome === 'begun') filling.misses = 0;
  if (outcome === 'nothing') filling.misses += 1;
}

/** For a lane that was read without a slot: waits until those before it have left it one, or have taken them all. */
async function hasSlot({ queue, inHand, scouted, ended }: Filling, lane: string): Promise<boolean> {
  const { signal: never } = new AbortController();
  while (scouted.has(lane)) {
    const isFree = queue.running + kept({ inHand }) < queue.kind.parallel;
    const [next] = scouted;
    if (isFree && next === lane) {
      scouted.delete(lane);
      inHand.set(lane, 1);
    } else if (!isFree && kept({ inHand }) === 0) return false;
    else await firstOf([ended.listen, queue.changed], never);
  }
  return true;
}

/** How many items of a lane in hand come before those of other lanes. A reserved slot (limit one) is a single one. */
function shareNow({ queue, running, inHand, chosen }: Filling, lane: string, limit: number, now: string): number {
  const inUse = new Map(running);
  for (const [each, places] of inHand) if (each !== lane) add(inUse, each, places);
  const free = openPlaces(queue.kind) - queue.running - kept({ inHand }) + (inHand.get(lane) ?? 0);
  // Lanes whose items are chosen take no more than those.
  return shareOf(queue.lanes, lane, { now, running: inUse, limit, free: limit === 1 ? 1 : free, except: chosen });
}
