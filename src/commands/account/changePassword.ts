import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * The current password was checked before; `formerHash` is its hash, because a reset may have replaced it meanwhile.
 * The other sessions are ended by `endSessions`.
 */
export async function changePassword(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly passwordHash: string;
    readonly formerHash?: string;
    readonly keptSessionId: string;
  },
): Promise<{ readonly position: Position }> {
  const { userId, ...passwords } = input;
  const { position } = await handle(ctx, accountDecider, accountStream(userId), {
    type: 'ChangePassword',
    ...passwords,
    at: ctx.now(),
  });
  return { position };
}
