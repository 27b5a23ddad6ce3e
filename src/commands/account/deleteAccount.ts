import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Records only the fact: from here on, nobody can log in to the account, and all its data is due for erasure
 * (`eraseAccount`, immediately or by the deletion follower).
 * @throws DomainError ACCOUNT_NOT_FOUND
 */
export async function deleteAccount(
  ctx: CommandContext,
  input: { readonly userId: string },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, accountDecider, accountStream(input.userId), {
    type: 'DeleteAccount',
    at: ctx.now(),
  });
  return { position };
}
