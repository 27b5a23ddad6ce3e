/** What a session has shown beyond the password that opened it. */
import { type SessionProof, sessionStream } from '../../domain/account/events.ts';
import { sessionDecider } from '../../domain/account/session.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

type OfSession = { readonly sessionId: string; readonly userId: string };

/** @throws DomainError SESSION_ENDED */
export async function addSessionProof(
  ctx: CommandContext,
  { sessionId, userId, kind }: OfSession & Pick<SessionProof, 'kind'>,
): Promise<void> {
  await handle(ctx, sessionDecider, sessionStream(sessionId), { type: 'AddProof', userId, kind, at: ctx.now() });
}

/** From now on the session counts as one without a second factor. */
export async function dropSecondFactorProofs(ctx: CommandContext, { sessionId, userId }: OfSession): Promise<void> {
  await handle(ctx, sessionDecider, sessionStream(sessionId), {
    type: 'DropSecondFactorProofs',
    userId,
    at: ctx.now(),
  });
}
