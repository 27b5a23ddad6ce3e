/** Erases everything of a deleted account, its emails kept in the outbox, and the snapshots of its streams. */
import type { ListOwned } from '../../commands/account/accountParts.ts';
import { eraseAccount, isAccountErased } from '../../commands/account/eraseAccount.ts';
import type { ContextOf } from '../../commands/context.ts';
import { snapshotsOfAccount } from '../../commands/snapshots/kinds.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import type { Snapshots } from '../../readModels/snapshots.ts';
import { type Follower, followerOf } from '../follower.ts';
import { ownedAsOf, type ReadAsOf } from '../known.ts';

export type DeletedAccountsDeps = {
  readonly context: ContextOf;
  readonly owned: ListOwned;
  readonly asOf: ReadAsOf;
  /** Null: this installation sends no email. */
  readonly mailer: Pick<Mailer, 'forget'> | null;
  readonly snapshots: Pick<Snapshots, 'remove'>;
};

export function createDeletedAccounts({ context, owned, asOf, mailer, snapshots }: DeletedAccountsDeps): Follower {
  return followerOf({
    name: 'deletedAccounts',
    types: ['AccountDeleted'],
    begins: 'at_the_start',
    async follow(event) {
      const { userId } = event.data;
      const ctx = context(event);
      if (!(await isAccountErased(ctx.store, event)))
        await eraseAccount(ctx, { userId, owned: ownedAsOf(asOf, event.position, owned) });
      await mailer?.forget(userId);
      // One being written at this moment is left to the sweep `orphanedSnapshots`.
      for (const place of snapshotsOfAccount(userId)) await snapshots.remove(place);
    },
  });
}
