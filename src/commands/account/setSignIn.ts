import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Enables or disables log-in. Disabling also orders the end of all sessions (`carryOutSessionsEnd`); audits, emails and
 * webhooks in progress continue, and shared links stay open.
 * @throws DomainError ACCOUNT_NOT_FOUND
 */
export async function setSignIn(
  ctx: CommandContext,
  input: { readonly userId: string; readonly enabled: boolean },
): Promise<{ readonly position: Position }> {
  const type = input.enabled ? 'EnableAccount' : 'DisableAccount';
  const { position } = await handle(ctx, accountDecider, accountStream(input.userId), { type, at: ctx.now() });
  return { position };
}
