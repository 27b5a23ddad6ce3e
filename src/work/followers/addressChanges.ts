/** Finishes changes of an address that broke off, and lets go of addresses that an account neither has nor wants. */
import { finishEmailChange, releaseClaimUnlessUsed, releaseUnlessUsed } from '../../commands/account/changeEmail.ts';
import type { CommandContext } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { AccountEvent, EmailEvent } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Follower } from '../follower.ts';

type Data<Type extends (AccountEvent | EmailEvent)['type']> = Extract<AccountEvent | EmailEvent, { readonly type: Type }>['data'];

/** The owner's own command is often still at it: both do the same, and whoever comes second finds it done. */
export function createAddressChanges({ context }: { readonly context: () => CommandContext }): Follower {
  return {
    name: 'addressChanges',
    types: ['AccountEmailChangeAsked', 'AccountEmailChanged', 'EmailClaimed'],
    begins: 'at_the_start',
    async follow({ type, data, stream }) {
      if (type === 'AccountEmailChangeAsked') return finish(context(), data as Data<'AccountEmailChangeAsked'>);
      if (type === 'EmailClaimed') return releaseClaimUnlessUsed(context(), { userId: (data as Data<'EmailClaimed'>).userId, stream });
      const { userId, formerEmail } = data as Data<'AccountEmailChanged'>;
      return releaseUnlessUsed(context(), { userId, email: formerEmail });
    },
  };
}

async function finish(ctx: CommandContext, { userId, email }: Data<'AccountEmailChangeAsked'>): Promise<void> {
  const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status !== 'active' || state.nextEmail !== email) return releaseUnlessUsed(ctx, { userId, email });
  await finishEmailChange(ctx, { userId, email }).catch((error: unknown) => {
    // Somebody else has it, or another wish came in between: the account's stream says so.
    if (!(error instanceof DomainError)) throw error;
  });
}
