/**
 * Claims whose items are gone: ended by an event from elsewhere than their holder, such as a canceled job that waited
 * for its next attempt.
 */
import type { Claims } from '../../readModels/claims.ts';
import type { Position, ReadModels } from '../../readModels/readModels.ts';
import { itemKey, WORK_ITEMS } from '../items.ts';
import type { Sweep } from '../sweep.ts';

const EVERY_MS = 10 * 60 * 1_000;
const PAGE = 200;

export type OrphanedClaimsDeps = {
  readonly readModels: ReadModels;
  readonly claims: Claims;
  readonly kinds: readonly string[];
};

export function createOrphanedClaims({ readModels, claims, kinds }: OrphanedClaimsDeps): Sweep {
  /** Returns how many of the page were removed. */
  async function removeOf(kind: string, itemIds: readonly string[], upTo: Position): Promise<number> {
    const keys = itemIds.map((itemId) => itemKey(kind, itemId));
    const items = await readModels.readAsOf([WORK_ITEMS], upTo, 0, () => readModels.getMany(WORK_ITEMS, keys));
    if (items === null) return 0;
    const pending = new Set(items.answer.map(({ id }) => id));
    const gone = itemIds.filter((itemId) => !pending.has(itemKey(kind, itemId)));
    if (gone.length > 0) await claims.remove(kind, gone);
    return gone.length;
  }

  return {
    name: 'orphanedClaims',
    everyMs: EVERY_MS,
    run: async (_kept, signal) => {
      let done = 0;
      // Without a list it is unknown what is missing from it.
      const upTo = await readModels.servedPosition(WORK_ITEMS);
      if (upTo === null) return { done, kept: null };
      for (const kind of kinds) {
        for (let after: string | undefined; !signal.aborted; ) {
          const page = await claims.list({ kind, limit: PAGE, ...(after === undefined ? {} : { after }) });
          // A held claim is its holder's; a settled one stays until the list has passed it.
          const idle = page.filter(
            ({ holder, settledAt }) => holder === null && (settledAt === null || settledAt <= upTo),
          );
          if (idle.length > 0) {
            done += await removeOf(
              kind,
              idle.map(({ itemId }) => itemId),
              upTo,
            );
          }
          after = page.at(-1)?.itemId;
          if (page.length < PAGE || after === undefined) break;
        }
      }
      return { done, kept: null };
    },
  };
}
