/** Whether available work is not being done: a sign that something is wrong with this process, whatever it is. */
import type { Claims } from '../readModels/claims.ts';
import type { ParkedRecord, ReadModels } from '../readModels/readModels.ts';
import { dayOf } from './fill.ts';
import { laneHeads, WORK_ITEMS } from './items.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { pick } from './pick.ts';
import type { KindState } from './runner.ts';

/** An item that was not taken, although an eligible slot was free all the time. */
export type Stalled = {
  readonly kind: string;
  readonly itemId: string;
  readonly dueAt: string;
  readonly freeSince: string;
};

type StalledDeps = {
  readonly readModels: ReadModels;
  readonly claims: Claims;
  readonly kinds: readonly Pick<WorkKind, 'rule' | 'parallelOfLane' | 'hadSince'>[];
};

type Places = Pick<KindState, 'kind' | 'freeSince' | 'idleFreeSince' | 'hadToday' | 'fullNetworks'>;

/** How long due work may wait next to a free slot, and how long a process may take none, ms. */
export const STALLED_AFTER_MS = 60_000;
/** Limit of lanes checked: each costs two queries, and if work stands still the first one usually shows it. */
const MOST_LANES = 10;

/**
 * One item per kind. `states`: this process's state. Claimed, deferred and settled items, and lanes at their limit, do
 * not count.
 */
export async function findStalled(
  deps: StalledDeps,
  states: readonly Places[],
  now: string,
): Promise<readonly Stalled[]> {
  const due = new Date(Date.parse(now) - STALLED_AFTER_MS).toISOString();
  const found = await Promise.all(
    states.map(async ({ kind, freeSince, idleFreeSince, hadToday, fullNetworks }): Promise<Stalled | null> => {
      const isOpen = freeSince !== null && freeSince <= due;
      const since = isOpen ? freeSince : idleFreeSince;
      const of = deps.kinds.find(({ rule }) => rule.kind === kind);
      if (since === null || since > due || of === undefined) return null;
      // A reserved slot goes to lanes that have had none today.
      const hadOne = async (lane: string): Promise<boolean> =>
        !isOpen && (hadToday.has(lane) || (await of.hadSince?.(lane, dayOf(due))) === true);
      const item = await findTakeable(deps, {
        kind,
        due,
        limit: isOpen ? of.parallelOfLane : 1,
        isBarred: async ({ lane, network }) => fullNetworks.has(network ?? '') || (await hadOne(lane)),
      });
      return item && { kind, itemId: item.itemId, dueAt: item.dueAt, freeSince: since };
    }),
  );
  return found.filter((each) => each !== null);
}

type Look = {
  readonly kind: string;
  readonly due: string;
  readonly limit: number;
  /** Whether no slot is for it, although its lane is below the limit. */
  readonly isBarred: (item: WorkItem) => Promise<boolean>;
};

/** An item that any process could have taken since `due`. */
async function findTakeable(deps: StalledDeps, { kind, due, limit, isBarred }: Look): Promise<WorkItem | null> {
  let running: ReadonlyMap<string, number> | null = null;
  let looked = 0;
  for await (const item of laneHeads(deps.readModels, kind)) {
    const { lane, dueAt } = item;
    if (dueAt > due) continue;
    running ??= await deps.claims.running(kind);
    if ((running.get(lane) ?? 0) >= limit || (await isBarred(item))) continue;
    const { first } = await pick(deps, { kind, lane, holder: null, now: due, retryAt: due });
    looked += 1;
    if (first || looked >= MOST_LANES) return first?.item ?? null;
  }
  return null;
}

/** Events that open work but could not be applied to the list. */
export function listParkedItems(readModels: ReadModels): Promise<readonly ParkedRecord[]> {
  return readModels.parked(WORK_ITEMS);
}
