/** Ends what a reset of the password, or a proof by mail, ordered to end, where its command died before it had done so. */
import { endFormerAccess } from '../../commands/account/endFormerAccess.ts';
import type { ContextOf } from '../../commands/context.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createFormerAccess({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'formerAccess',
    types: ['PasswordResetUsed', 'AccountProvenByMail'],
    begins: 'at_the_start',
    async follow(event) {
      if (event.data.endsSetUpBefore !== undefined)
        await endFormerAccess(context(event), { userId: event.data.userId });
    },
  });
}
