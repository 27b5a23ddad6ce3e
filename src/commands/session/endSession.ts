import { sessionStream } from '../../domain/account/events.ts';
import { type EndReason, sessionDecider } from '../../domain/account/session.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** @throws DomainError SESSION_NOT_FOUND, also when the session belongs to another user */
export async function endSession(
  ctx: CommandContext,
  input: { readonly sessionId: string; readonly userId: string; readonly reason: EndReason },
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, sessionDecider, sessionStream(input.sessionId), {
    type: 'EndSession',
    userId: input.userId,
    reason: input.reason,
    at: ctx.now(),
  });
  return { position };
}
