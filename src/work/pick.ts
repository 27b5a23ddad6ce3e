/** Which item of a lane can be taken now. */
import type { Claim, Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getItem, listLane, WORK_ITEMS } from './items.ts';
import type { WorkItem } from './kind.ts';

export type Found =
  /** `claim`: the claim kept from before. */
  | { readonly item: WorkItem; readonly claim: Claim | null }
  /** `nextAt`: nothing of the lane can be taken earlier (UTC ISO); null: it has nothing. */
  | { readonly item: null; readonly nextAt: string | null };

/** `holder`: the name of this run in claims; null: none, it only checks. */
type PickQuery = { readonly kind: string; readonly lane: string; readonly holder: string | null; readonly now: string; readonly retryAt: string };

/** The rest of a lane is not read once there is something to take. */
const AT_ONCE = 20;
/** Longest delay before re-checking whether the list has passed an outcome, ms. A removal from the list sends a notification anyway. */
const BEHIND_MS = 30_000;
/** The same for an item in progress here: its end offers the lane anyway. */
const IN_PROGRESS_MS = 10_000;

export async function pick({ readModels, claims }: { readonly readModels: ReadModels; readonly claims: Claims }, query: PickQuery): Promise<Found> {
  const { kind, lane, holder, now, retryAt } = query;
  let nextAt: string | null = null;
  const notBefore = (at: string): void => {
    if (nextAt === null || at < nextAt) nextAt = at;
  };
  let passed: string | null = null;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listLane>> = await listLane(readModels, { kind, lane, limit: AT_ONCE, ...(cursor === null ? {} : { cursor }) });
    const items = page.documents.map(({ data }) => data);
    const due = items.filter(({ dueAt }) => dueAt <= now);
    const known = await claims.read(
      kind,
      due.map(({ itemId }) => itemId),
    );
    const claimOf = new Map(known.map((claim) => [claim.itemId, claim]));
    for (const item of due) {
      const claim = claimOf.get(item.itemId) ?? null;
      // Reopened or not, an item is never taken from its holder.
      if (claim && claim.holder !== null) notBefore(claim.holder === holder ? later(now, IN_PROGRESS_MS) : retryAt);
      else if (!claim || claim.opening !== item.opening) return { item, claim };
      else if (claim.notBefore !== null && claim.notBefore > now) notBefore(claim.notBefore);
      else if (claim.settledAt === null) return { item, claim };
      else {
        passed ??= (await readModels.servedPosition(WORK_ITEMS)) ?? '';
        // Its outcome is already in the log; the list has not caught up.
        if (claim.settledAt > passed) notBefore(recheckAt(query, claim.notBefore));
        // The list may have caught up since it was read here.
        else if ((await getItem(readModels, kind, item.itemId))?.data.dueAt === item.dueAt) return { item, claim };
      }
    }
    const future = items[due.length];
    if (future) notBefore(future.dueAt);
    cursor = future ? null : page.cursor;
  } while (cursor !== null);
  return { item: null, nextAt };
}

/** Waits as long again as the item has been done: each check of a list that is far behind costs queries, which would hold it up further. */
function recheckAt({ now, retryAt }: PickQuery, doneAt: string | null): string {
  const waited = doneAt === null ? 0 : Date.parse(now) - Date.parse(doneAt);
  const at = later(now, Math.min(waited, BEHIND_MS));
  return at > retryAt ? at : retryAt;
}

const later = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();
