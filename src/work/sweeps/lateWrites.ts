/**
 * Goes over a deleted account once more, some minutes after its deletion: a log-in, a submission or a mail that was under way may have left something behind
 * the erasure (`followers/deletedAccounts.ts`).
 */
import type { ListOwned } from '../../commands/account/accountParts.ts';
import { eraseAccount } from '../../commands/account/eraseAccount.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import type { Sweep } from '../sweep.ts';
import { ago, eventsSince } from './eventsSince.ts';

export type LateWritesDeps = {
  readonly context: ContextOf;
  readonly owned: ListOwned;
  /** Whether `owned` knows the log up to there; waits a little for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Null: this installation sends no mail. */
  readonly mailer: Pick<Mailer, 'forget'> | null;
};

/** Nothing that was begun before the deletion is under way for longer. */
const GRACE_MS = 10 * 60 * 1_000;

export function createLateWrites({ context, owned, reached, mailer }: LateWritesDeps): Sweep {
  return {
    name: 'lateWrites',
    everyMs: 60_000,
    run(kept, signal) {
      const ctx = context(null);
      const stretch = { kept, type: 'AccountDeleted', before: ago(ctx.now(), GRACE_MS), signal } as const;
      let head: Position | null = null;
      return eventsSince(ctx.store, stretch, async (event) => {
        // What was written late stands behind the deletion: the lists must know the log as it is now.
        head ??= await ctx.store.head();
        if (!(await reached(head))) return 'later';
        const { userId } = event.data;
        await eraseAccount(context(event), { userId, owned });
        await mailer?.forget(userId);
        return true;
      });
    },
  };
}
