/** Which items of a lane can be taken now. */
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getItem, listLane, WORK_ITEMS } from './items.ts';
import type { WorkItem } from './kind.ts';
import type { LaneState } from './lanes.ts';

/** An item, with the claim kept from before. */
export type Takeable = { readonly item: WorkItem; readonly claim: Claim | null };

/**
 * `items`: what can be taken now, in order. `next`: the rest of the lane cannot be taken earlier, as far as was read;
 * null: nothing is left of it.
 */
export type Found = { readonly items: readonly Takeable[]; readonly next: LaneState | null };

/** `holder`: the name of this run in claims; null: none, it only checks. `most`: the number of items looked for. */
type PickQuery = {
  readonly kind: string;
  readonly lane: string;
  readonly holder: string | null;
  readonly most: number;
  readonly now: string;
  readonly retryAt: string;
};

/** The rest of a lane is not read once there is something to take. */
const AT_ONCE = 20;
/**
 * Longest delay before re-checking whether the list has passed an outcome, ms. A removal from the list sends a
 * notification anyway.
 */
const BEHIND_MS = 30_000;
/** The same for an item in progress here: unless it is settled, its end offers the lane anyway. */
const IN_PROGRESS_MS = 10_000;

export async function pick(
  { readModels, claims }: { readonly readModels: ReadModels; readonly claims: Claims },
  query: PickQuery,
): Promise<Found> {
  const { kind, lane, most, now } = query;
  let next: LaneState | null = null;
  const notBefore = (dueAt: string, rank = 0): void => {
    if (next === null || dueAt < next.dueAt) next = { dueAt, rank };
  };
  let passed: string | null = null;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listLane>> = await listLane(readModels, {
      kind,
      lane,
      limit: AT_ONCE,
      ...(cursor === null ? {} : { cursor }),
    });
    const items = page.documents.map(({ data }) => data);
    const due = items.filter(({ dueAt }) => dueAt <= now);
    const known = await claims.read(
      kind,
      due.map(({ itemId }) => itemId),
    );
    const claimOf = new Map(known.map((claim) => [claim.itemId, claim]));
    const found: Takeable[] = [];
    for (const item of due) {
      const claim = claimOf.get(item.itemId) ?? null;
      const standing = standingOf(query, item, claim);
      if (standing.is === 'later') notBefore(standing.at, item.rank);
      else if (standing.is === 'free') {
        if (found.length < most) found.push({ item, claim });
        else notBefore(item.dueAt, item.rank);
      } else if (found.length > 0) notBefore(recheckAt(query, standing.doneAt), item.rank);
      else {
        passed ??= (await readModels.servedPosition(WORK_ITEMS)) ?? '';
        // Its outcome is already in the log; the list has not caught up.
        if (standing.settledAt > passed) notBefore(recheckAt(query, standing.doneAt));
        // The list may have caught up since it was read here.
        else if ((await getItem(readModels, kind, item.itemId))?.data.dueAt === item.dueAt) found.push({ item, claim });
      }
    }
    const future = items[due.length];
    if (future) notBefore(future.dueAt, future.rank);
    const last = found.at(-1)?.item;
    if (last) {
      if (!future && page.cursor !== null) notBefore(last.dueAt, last.rank);
      return { items: found, next };
    }
    cursor = future ? null : page.cursor;
  } while (cursor !== null);
  return { items: [], next };
}

type Standing =
  | { readonly is: 'free' }
  | { readonly is: 'later'; readonly at: string }
  /** `settledAt`: the position of its outcome. */
  | { readonly is: 'settled'; readonly settledAt: string; readonly doneAt: string | null };

/** What the claim of a due item says. */
function standingOf({ holder, now, retryAt }: PickQuery, item: WorkItem, claim: Claim | null): Standing {
  if (claim === null) return { is: 'free' };
  const isReopened = claim.opening !== item.opening;
  // Reopened or not, an item is never taken from its holder.
  if (claim.holder !== null)
    return { is: 'later', at: claim.holder === holder && !isReopened ? later(now, IN_PROGRESS_MS) : retryAt };
  if (isReopened) return { is: 'free' };
  if (claim.notBefore !== null && claim.notBefore > now) return { is: 'later', at: claim.notBefore };
  return claim.settledAt === null
    ? { is: 'free' }
    : { is: 'settled', settledAt: claim.settledAt, doneAt: claim.notBefore };
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
