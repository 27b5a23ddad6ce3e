/** Claims of a log that is no more: an older copy was put in its place, and what was settled beyond its end is pending again. */
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Claims } from '../readModels/claims.ts';

const PAGE = 500;

/** Removes claims that were settled at a position which the log has not reached. Answers how many those were. */
export async function removeClaimsAhead({ store, claims }: { readonly store: EventStore; readonly claims: Claims }, kinds: readonly string[]): Promise<number> {
  let removed = 0;
  for (const kind of kinds) {
    for (let after: string | undefined; ; ) {
      const page = await claims.list({ kind, limit: PAGE, ...(after === undefined ? {} : { after }) });
      // Asked after the claims were read: what another process settles meanwhile is not beyond it.
      const head = await store.head();
      const ahead = page.filter(({ settledAt }) => settledAt !== null && settledAt > head).map(({ itemId }) => itemId);
      if (ahead.length > 0) await claims.remove(kind, ahead);
      removed += ahead.length;
      after = page.at(-1)?.itemId;
      if (page.length < PAGE || after === undefined) break;
    }
  }
  return removed;
}
