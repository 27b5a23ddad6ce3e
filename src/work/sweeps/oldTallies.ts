/** Deletes tallies that are too old, a month at a time; the sums of their days stay. */
import type { ContextOf } from '../../commands/context.ts';
import { deleteOldestMonth } from '../../commands/tally/sumTallies.ts';
import { comparePositions, START } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

export function createOldTallies({
  context,
  keptDays,
}: {
  readonly context: ContextOf;
  readonly keptDays: number;
}): Sweep {
  return {
    name: 'oldTallies',
    everyMs: 60 * 60_000,
    async run(kept, signal) {
      const ctx = context(null);
      const before = ago(ctx.now(), keptDays * 24 * 60 * 60 * 1_000);
      // A position ahead of the log means that the log was replaced by an older one.
      let after = kept !== null && comparePositions(kept, await ctx.store.head()) <= 0 ? kept : START;
      let done = 0;
      for (;;) {
        const month = await deleteOldestMonth(ctx, { after, before, signal });
        if (!month) return { done, kept: after };
        done += month.deleted;
        after = month.next;
      }
    },
  };
}
