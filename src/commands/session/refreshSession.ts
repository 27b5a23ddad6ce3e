import { sessionDecider, sessionEnded, sessionStream } from '../../domain/account/session.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { hashToken, idInToken, tokenPair } from '../tokens.ts';
import { type OpenSession, opened } from './startSession.ts';

/**
 * Replaces both tokens. A refresh token that was replaced before ends the session.
 * @throws DomainError SESSION_ENDED, alike for unknown, expired, reused and ended
 */
export async function refreshSession(ctx: CommandContext, input: { readonly refreshToken: string; readonly newToken: () => string }): Promise<OpenSession> {
  const sessionId = idInToken(input.refreshToken);
  if (sessionId === null) throw sessionEnded();
  const { accessToken, refreshToken, ...hashes } = tokenPair(sessionId, input.newToken);
  const command = { type: 'RefreshSession', presentedHash: hashToken(input.refreshToken), at: ctx.now(), ...hashes } as const;
  const { state, position } = await handle(ctx, sessionDecider, sessionStream(sessionId), command);
  return { sessionId, accessToken, refreshToken, ...opened(state), position };
}
