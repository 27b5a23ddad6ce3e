/**
 * Repeats the erasure of a deleted account (`followers/deletedAccounts.ts`) some minutes later: a log-in, a submission
 * or an email in progress may have left something behind.
 */
import type { ListOwned } from '../../commands/account/accountParts.ts';
import { eraseAccount } from '../../commands/account/eraseAccount.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import { NotYet } from '../follower.ts';
import { ownedAsOf, type ReadAsOf } from '../known.ts';
import type { Sweep } from '../sweep.ts';
import { ago, eventsSince } from './eventsSince.ts';

export type LateWritesDeps = {
  readonly context: ContextOf;
  readonly owned: ListOwned;
  readonly asOf: ReadAsOf;
  /** Null: this installation sends no email. */
  readonly mailer: Pick<Mailer, 'forget'> | null;
};

/** Nothing begun before the deletion takes longer. */
const GRACE_MS = 10 * 60 * 1_000;

export function createLateWrites({ context, owned, asOf, mailer }: LateWritesDeps): Sweep {
  return {
    name: 'lateWrites',
    everyMs: 60_000,
    run(kept, signal) {
      const ctx = context(null);
      const stretch = { kept, type: 'AccountDeleted', before: ago(ctx.now(), GRACE_MS), signal } as const;
      let head: Position | null = null;
      return eventsSince(ctx.store, stretch, async (event) => {
        // Late writes come after the deletion: the lists must have reached the current end of the log.
        head ??= await ctx.store.head();
        const { userId } = event.data;
        try {
          await eraseAccount(context(event), { userId, owned: ownedAsOf(asOf, head, owned) });
        } catch (error) {
          if (error instanceof NotYet) return 'later';
          throw error;
        }
        await mailer?.forget(userId);
        return true;
      });
    },
  };
}
