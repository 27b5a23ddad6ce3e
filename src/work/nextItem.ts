/**
 * Which waiting item begins next in a process with free slots: the whole rule, over plain records. One item of each
 * lane (user) competes, the one that has waited longest; how it is claimed is in `fill.ts`.
 */
export type Waiting = {
  readonly lane: string;
  /** UTC ISO; nothing of the lane can be taken earlier. */
  readonly dueAt: string;
  readonly rank: number;
  /** Where it comes from; null: it counts for no network. */
  readonly network: string | null;
};

/** What is known of the slots of one kind of work. */
export type Slots = {
  /** UTC ISO. */
  readonly now: string;
  /** Free in this process. */
  readonly free: number;
  /** How many of these are reserved for users who have had none today. */
  readonly reserved: number;
  /** An item that ended its process before is in progress here. */
  readonly alone: boolean;
  /** Items in progress by lane, in all processes, and how many a lane may have. */
  readonly running: ReadonlyMap<string, number>;
  readonly limit: number;
  /** Items in progress by network, in this process, and how many a network may have. */
  readonly networks: ReadonlyMap<string, number>;
  readonly networkLimit: number;
  /** Lanes known to have begun an item since 00:00 UTC. */
  readonly hadToday: ReadonlySet<string>;
};

type Candidate = { readonly item: Waiting; readonly running: number; readonly rank: number };

/** A lane that has waited for longer than this comes before any rank, ms. */
const RANK_COUNTS_MS = 30_000;
const BEFORE_ANY_RANK = Number.MAX_SAFE_INTEGER;

/** Null: nothing may begin now. Costs one look at each lane. */
export function nextItem(waiting: Iterable<Waiting>, slots: Slots): Waiting | null {
  // An item that ended its process before runs alone: if it does so again, it harms no other.
  if (slots.free <= 0 || slots.alone) return null;
  const impatientSince = new Date(Date.parse(slots.now) - RANK_COUNTS_MS).toISOString();
  let first: Candidate | null = null;
  for (const item of waiting) {
    const running = slots.running.get(item.lane) ?? 0;
    if (!mayBegin(item, running, slots)) continue;
    const rank = item.dueAt <= impatientSince ? BEFORE_ANY_RANK : item.rank;
    if (first === null || isBefore({ item, running, rank }, first)) first = { item, running, rank };
  }
  return first?.item ?? null;
}

/** How many items its lane may have in progress if it begins now: a reserved slot is for a lane with none. */
export const limitNow = ({ free, reserved, limit }: Slots): number => (free <= reserved ? 1 : limit);

function mayBegin({ lane, dueAt, network }: Waiting, running: number, slots: Slots): boolean {
  if (running >= limitNow(slots) || dueAt > slots.now) return false;
  if (network !== null && (slots.networks.get(network) ?? 0) >= slots.networkLimit) return false;
  return slots.free > slots.reserved || !slots.hadToday.has(lane);
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.running !== b.running) return a.running < b.running;
  if (a.rank !== b.rank) return a.rank > b.rank;
  return a.item.dueAt < b.item.dueAt;
}
