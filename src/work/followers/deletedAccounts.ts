/** Erases everything of a deleted account, and the mails to it that wait in the outbox. */
import type { ListOwned } from '../../commands/account/accountParts.ts';
import { eraseAccount, isAccountErased } from '../../commands/account/eraseAccount.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type DeletedAccountsDeps = {
  readonly context: ContextOf;
  readonly owned: ListOwned;
  /** Whether `owned` knows the log up to there; waits a little for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Null: this installation sends no mail. */
  readonly mailer: Pick<Mailer, 'forget'> | null;
};

export function createDeletedAccounts({ context, owned, reached, mailer }: DeletedAccountsDeps): Follower {
  return followerOf({
    name: 'deletedAccounts',
    types: ['AccountDeleted'],
    begins: 'at_the_start',
    async follow(event) {
      const { userId } = event.data;
      const ctx = context(event);
      if (!(await isAccountErased(ctx.store, event))) {
        if (!(await reached(event.position))) throw new NotYet('What belongs to a deleted account is not known yet.');
        await eraseAccount(ctx, { userId, owned });
      }
      await mailer?.forget(userId);
    },
  });
}
