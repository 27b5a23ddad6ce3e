import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * The fact alone: from here on nobody logs in to the account, and everything that is its own is to be erased (`eraseAccount`,
 * at once or by the follower of deletions).
 * @throws DomainError ACCOUNT_NOT_FOUND
 */
export async function deleteAccount(ctx: CommandContext, input: { readonly userId: string }): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, accountDecider, accountStream(input.userId), { type: 'DeleteAccount', at: ctx.now() });
  return { position };
}
