import { accountStream } from '../../domain/account/account.ts';
import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { sessionDecider, sessionEnded, sessionStream } from '../../domain/account/session.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken, idInToken, tokenPair } from '../tokens.ts';
import { type OpenSession, opened } from './startSession.ts';

/**
 * Replaces both tokens. Reusing a replaced refresh token ends the session.
 * @throws DomainError SESSION_ENDED, the same for unknown, expired, reused and ended; ACCOUNT_DISABLED
 */
export async function refreshSession(ctx: CommandContext, input: { readonly refreshToken: string; readonly newToken: () => string }): Promise<OpenSession> {
  const sessionId = idInToken(input.refreshToken);
  if (sessionId === null) throw sessionEnded();
  await refuseDisabled(ctx, sessionId);
  const { accessToken, refreshToken, ...hashes } = tokenPair(sessionId, input.newToken);
  const command = { type: 'RefreshSession', presentedHash: hashToken(input.refreshToken), at: ctx.now(), ...hashes } as const;
  const { state, position } = await handle(ctx, sessionDecider, sessionStream(sessionId), command);
  return { sessionId, accessToken, refreshToken, ...opened(state), position };
}

/** Disabling ended the account's sessions: the owner of one is told the reason. */
async function refuseDisabled({ store }: CommandContext, sessionId: string): Promise<void> {
  const { state: session } = await loadState(store, sessionDecider, sessionStream(sessionId));
  if (session.status === 'none') return;
  const { state: account } = await loadState(store, accountDecider, accountStream(session.userId));
  if (account.status === 'active' && account.isDisabled) throw accountDisabled();
}
