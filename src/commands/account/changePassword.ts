import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** The current password was checked before. The other sessions are ended by `endSessions`. */
export async function changePassword(
  ctx: CommandContext,
  input: { readonly userId: string; readonly passwordHash: string; readonly keptSessionId: string },
): Promise<{ readonly position: Position }> {
  const { userId, passwordHash, keptSessionId } = input;
  const { position } = await handle(ctx, accountDecider, accountStream(userId), { type: 'ChangePassword', passwordHash, keptSessionId, at: ctx.now() });
  return { position };
}
