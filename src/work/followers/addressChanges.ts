/**
 * Finishes interrupted address changes and confirmations, and releases addresses that an account neither has nor wants.
 */

import { finishEmailChange, releaseClaimUnlessUsed, releaseUnlessUsed } from '../../commands/account/changeEmail.ts';
import { settleProof } from '../../commands/account/proveEmail.ts';
import type { CommandContext, ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { type DataOf, isOf } from '../../domain/stored/eventOf.ts';
import { type Follower, followerOf } from '../follower.ts';

/** The owner's own command is often still running: both do the same, and the second finds it done. */
export function createAddressChanges({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'addressChanges',
    types: ['AccountEmailChangeAsked', 'AccountEmailChanged', 'EmailClaimed'],
    begins: 'at_the_start',
    async follow(event) {
      if (isOf(event, 'AccountEmailChangeAsked')) return finish(context(event), event.data);
      if (isOf(event, 'EmailClaimed')) {
        await releaseClaimUnlessUsed(context(event), { userId: event.data.userId, stream: event.stream });
        return event.data.proven ? settle(context(event), event.stream) : undefined;
      }
      const { userId, formerEmail } = event.data;
      return releaseUnlessUsed(context(event), { userId, email: formerEmail });
    },
  });
}

/** An account deleted at this very moment is found deleted, and passed over, the next time. */
async function settle(ctx: CommandContext, stream: string): Promise<void> {
  try {
    await settleProof(ctx, stream);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'ACCOUNT_NOT_FOUND')) throw error;
    await settle(ctx, stream);
  }
}

async function finish(ctx: CommandContext, { userId, email }: DataOf<'AccountEmailChangeAsked'>): Promise<void> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status !== 'active' || state.nextEmail !== email) return releaseUnlessUsed(ctx, { userId, email });
  await finishEmailChange(ctx, { userId, email }).catch((error: unknown) => {
    // Another account has it, or a newer request replaced it: the account's stream says so.
    if (!(error instanceof DomainError)) throw error;
  });
}
