import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Whether anybody gets in to the account. Disabling orders the end of all sessions (`carryOutSessionsEnd`); analyses, mails and webhooks that are under
 * way go on, and shared links stay open.
 * @throws DomainError ACCOUNT_NOT_FOUND
 */
export async function setSignIn(ctx: CommandContext, input: { readonly userId: string; readonly enabled: boolean }): Promise<{ readonly position: Position }> {
  const type = input.enabled ? 'EnableAccount' : 'DisableAccount';
  const { position } = await handle(ctx, accountDecider, accountStream(input.userId), { type, at: ctx.now() });
  return { position };
}
