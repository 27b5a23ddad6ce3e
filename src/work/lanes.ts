import { ascending } from '../model/order.ts';
/**
 * Which lane comes next, and for each lane (user) with pending work: when. A hint in one process's memory, maintained
 * by changes of the list of items and corrected on reading it; the list itself decides. Costs the logarithm of the
 * number of lanes.
 */

/** `dueAt`: nothing of the lane can be taken earlier (UTC ISO). */
export type LaneState = { readonly dueAt: string; readonly rank: number };
type Entry = LaneState & { readonly lane: string };

export type Lanes = {
  /** The lane has something that is due then, possibly among other items. */
  offer(lane: string, state: LaneState): void;
  /** Counts the offers: to be read before reading the list. */
  offers(): number;
  /**
   * After reading the list since `offers`: all that was found. Null: nothing. Later offers take precedence. True if the
   * lane has nothing as early as assumed.
   */
  correct(lane: string, state: LaneState | null, offers: number): boolean;
  /**
   * The next lane among those with less than `limit` running: fewest running first, then those that have waited for 30
   * s, then higher rank, then longest waiting; none of `except`. Null: nothing is due.
   */
  next(now: string, running: ReadonlyMap<string, number>, limit: number, except?: ReadonlySet<string>): string | null;
  /** When the first lane is due; null: never. */
  nextDueAt(): string | null;
  /** Number of entries in memory: at most a few times the number of lanes. */
  size(): number;
};

/** A lane that has waited this long comes before any rank, ms. */
const RANK_COUNTS_MS = 30_000;
const impatientSince = (now: string): string => new Date(Date.parse(now) - RANK_COUNTS_MS).toISOString();
const NONE: ReadonlySet<string> = new Set();
/** Keeps few lanes from being re-sorted all the time. */
const SPARE_ENTRIES = 64;

export function createLanes(): Lanes {
  const lanes = new Map<string, LaneState>();
  /** When the lane was last offered. */
  const offered = new Map<string, number>();
  const heap = createHeap();
  let offers = 0;

  function set(lane: string, state: LaneState): void {
    const known = lanes.get(lane);
    if (known && known.dueAt === state.dueAt && known.rank === state.rank) return;
    lanes.set(lane, state);
    heap.push({ lane, ...state });
    // Outdated entries stay until their time, which may be hours away.
    if (heap.size() > 2 * lanes.size + SPARE_ENTRIES)
      heap.refill([...lanes].map(([each, kept]) => ({ lane: each, ...kept })));
  }

  /** Entries whose lane has changed since are outdated. */
  function firstEntry(): Entry | null {
    for (let entry = heap.first(); entry; entry = heap.first()) {
      const state = lanes.get(entry.lane);
      if (state && state.dueAt === entry.dueAt && state.rank === entry.rank) return entry;
      heap.pop();
    }
    return null;
  }

  /** Among the lanes with nothing running. */
  function nextIdle(now: string, running: ReadonlyMap<string, number>, except: ReadonlySet<string>): string | null {
    const passed: Entry[] = [];
    let best: Entry | null = null;
    const impatient = impatientSince(now);
    for (let entry = firstEntry(); entry && entry.dueAt <= now; entry = firstEntry()) {
      heap.pop();
      passed.push(entry);
      if (running.has(entry.lane) || except.has(entry.lane)) continue;
      if (!best || entry.rank > best.rank) best = entry;
      // Entries come in time order: one that has waited too long is the first of all, and with equal ranks the first
      // one wins.
      if (best.dueAt <= impatient || heap.topRank() <= best.rank) break;
    }
    for (const entry of passed) heap.push(entry);
    return best?.lane ?? null;
  }

  function nextRunning(
    now: string,
    running: ReadonlyMap<string, number>,
    limit: number,
    except: ReadonlySet<string>,
  ): string | null {
    const impatient = impatientSince(now);
    const ready = [...running].flatMap(([lane, count]) => {
      const state = lanes.get(lane);
      if (!state || state.dueAt > now || count >= limit || except.has(lane)) return [];
      return [{ lane, count, ...state, rank: state.dueAt <= impatient ? Number.MAX_SAFE_INTEGER : state.rank }];
    });
    ready.sort((a, b) => a.count - b.count || b.rank - a.rank || ascending(a.dueAt, b.dueAt));
    return ready[0]?.lane ?? null;
  }

  return {
    offer(lane, state) {
      offers += 1;
      offered.set(lane, offers);
      const known = lanes.get(lane);
      if (!known) set(lane, state);
      else if (state.dueAt < known.dueAt || state.rank > known.rank) {
        const [dueAt = state.dueAt] = [state.dueAt, known.dueAt].sort();
        set(lane, { dueAt, rank: Math.max(state.rank, known.rank) });
      }
    },
    offers: () => offers,
    correct(lane, state, since) {
      if ((offered.get(lane) ?? 0) > since) return false;
      const known = lanes.get(lane);
      if (state) set(lane, state);
      else {
        lanes.delete(lane);
        offered.delete(lane);
      }
      return known !== undefined && (state === null || state.dueAt > known.dueAt);
    },
    next: (now, running, limit, except = NONE) =>
      nextIdle(now, running, except) ?? nextRunning(now, running, limit, except),
    nextDueAt: () => firstEntry()?.dueAt ?? null,
    size: () => heap.size(),
  };
}

/**
 * How many of the `free` places fall to the lane if all lanes but `except` take due items in their order, one after the
 * other. Changes nothing.
 */
export function shareOf(
  lanes: Pick<Lanes, 'next'>,
  lane: string,
  places: {
    readonly now: string;
    readonly running: ReadonlyMap<string, number>;
    readonly limit: number;
    readonly free: number;
    readonly except: ReadonlySet<string>;
  },
): number {
  const running = new Map(places.running);
  let share = 0;
  for (let free = places.free; free > 0; free -= 1) {
    const next = lanes.next(places.now, running, places.limit, places.except);
    if (next === null) break;
    running.set(next, (running.get(next) ?? 0) + 1);
    if (next === lane) share += 1;
  }
  return share;
}

/** A binary heap by time. `topRank` is an upper bound of the ranks in it. */
function createHeap() {
  let entries: Entry[] = [];
  let topRank = 0;
  const before = (a: number, b: number): boolean => (entries[a] as Entry).dueAt < (entries[b] as Entry).dueAt;
  const swap = (a: number, b: number): void => {
    [entries[a], entries[b]] = [entries[b] as Entry, entries[a] as Entry];
  };
  return {
    first: (): Entry | null => entries[0] ?? null,
    topRank: () => topRank,
    size: () => entries.length,
    refill(kept: Entry[]): void {
      // A sorted array is a valid heap.
      entries = kept.sort((a, b) => ascending(a.dueAt, b.dueAt));
      topRank = entries.reduce((top, { rank }) => Math.max(top, rank), 0);
    },
    push(entry: Entry): void {
      topRank = Math.max(topRank, entry.rank);
      entries.push(entry);
      for (let at = entries.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!before(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop(): void {
      const last = entries.pop();
      if (last === undefined || entries.length === 0) return;
      entries[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const right = left + 1;
        let least = at;
        if (left < entries.length && before(left, least)) least = left;
        if (right < entries.length && before(right, least)) least = right;
        if (least === at) return;
        swap(at, least);
        at = least;
      }
    },
  };
}
