/** Claims made against a log that was replaced by an older copy: items settled beyond its end are pending again. */
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Claims } from '../readModels/claims.ts';

const PAGE = 500;

/** Removes claims settled at a position that the log has not reached. Returns how many there were. */
export async function removeClaimsAhead(
  { store, claims }: { readonly store: EventStore; readonly claims: Claims },
  kinds: readonly string[],
): Promise<number> {
  const removed = await Promise.all(kinds.map((kind) => removeOfKind({ store, claims }, kind)));
  return removed.reduce((sum, count) => sum + count, 0);
}

async function removeOfKind(
  { store, claims }: { readonly store: EventStore; readonly claims: Claims },
  kind: string,
): Promise<number> {
  let removed = 0;
  for (let after: string | undefined; ; ) {
    const page = await claims.list({ kind, limit: PAGE, ...(after === undefined ? {} : { after }) });
    // Read after the claims: items that another process settles meanwhile are not beyond it.
    const head = await store.head();
    const ahead = page.filter(({ settledAt }) => settledAt !== null && settledAt > head).map(({ itemId }) => itemId);
    if (ahead.length > 0) await claims.remove(kind, ahead);
    removed += ahead.length;
    after = page.at(-1)?.itemId;
    if (page.length < PAGE || after === undefined) return removed;
  }
}
