/** The first item of a lane that can be taken now. */
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getItem, listLane, WORK_ITEMS } from './items.ts';
import type { WorkItem } from './kind.ts';
import { type LaneState, stateOf } from './waiting.ts';

/** An item, with the claim kept from before. */
export type Takeable = { readonly item: WorkItem; readonly claim: Claim | null };

/**
 * `first`: null if nothing can be taken now. `next`: the rest of the lane cannot be taken earlier, as far as was read;
 * null: nothing is left of it.
 */
export type Found = { readonly first: Takeable | null; readonly next: LaneState | null };

/** `holder`: the name of this run in claims; null: none, it only checks. */
type PickQuery = {
  readonly kind: string;
  readonly lane: string;
  readonly holder: string | null;
  readonly now: string;
  readonly retryAt: string;
};

type PickDeps = { readonly readModels: ReadModels; readonly claims: Claims };

/** The rest of a lane is not read once there is something to take. */
const AT_ONCE = 20;
/**
 * Longest delay before re-checking whether the list has passed an outcome, ms. A removal from the list sends a
 * notification anyway.
 */
const BEHIND_MS = 30_000;
/** The same for an item in progress here: unless it is settled, its end offers the lane anyway. */
const IN_PROGRESS_MS = 10_000;

export async function pick(deps: PickDeps, query: PickQuery): Promise<Found> {
  const { kind, lane, now } = query;
  let first: Takeable | null = null;
  let next: LaneState | null = null;
  let cursor: string | undefined;
  do {
    const page = await listLane(deps.readModels, {
      kind,
      lane,
      limit: AT_ONCE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const items = page.documents.map(({ data }) => data);
    const due = items.filter(({ dueAt }) => dueAt <= now).map(({ itemId }) => itemId);
    const claimOf = new Map((await deps.claims.read(kind, due)).map((claim) => [claim.itemId, claim]));
    for (const item of items) {
      // They are sorted by time: what follows is not earlier.
      if (first !== null || item.dueAt > now) return { first, next: earlier(next, stateOf(item)) };
      const claim = claimOf.get(item.itemId) ?? null;
      const at = claim && (await takeableAt(deps, query, item, claim));
      if (at === null) first = { item, claim };
      else next = earlier(next, { ...stateOf(item), dueAt: at });
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return { first, next };
}

const earlier = (next: LaneState | null, state: LaneState): LaneState =>
  next === null || state.dueAt < next.dueAt ? state : next;

/** What the claim of a due item says about when it can be taken; null: now. */
async function takeableAt(deps: PickDeps, query: PickQuery, item: WorkItem, claim: Claim): Promise<string | null> {
  const { holder, now, retryAt } = query;
  const isReopened = claim.opening !== item.opening;
  // Reopened or not, an item is never taken from its holder.
  if (claim.holder !== null) return claim.holder === holder && !isReopened ? later(now, IN_PROGRESS_MS) : retryAt;
  if (isReopened) return null;
  if (claim.notBefore !== null && claim.notBefore > now) return claim.notBefore;
  if (claim.settledAt === null) return null;
  // Its outcome is already in the log; the list has not caught up.
  const passed = (await deps.readModels.servedPosition(WORK_ITEMS)) ?? '';
  if (claim.settledAt > passed) return recheckAt(query, claim.notBefore);
  // The list may have caught up since it was read here.
  const listed = await getItem(deps.readModels, query.kind, item.itemId);
  return listed?.data.dueAt === item.dueAt ? null : retryAt;
}

/**
 * Waits as long again as the item has been done: each check of a list that is far behind costs queries, which would
 * hold it up further.
 */
function recheckAt({ now, retryAt }: PickQuery, doneAt: string | null): string {
  const waited = doneAt === null ? 0 : Date.parse(now) - Date.parse(doneAt);
  const at = later(now, Math.min(waited, BEHIND_MS));
  return at > retryAt ? at : retryAt;
}

const later = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();
