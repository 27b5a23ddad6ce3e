import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { accountStream, sessionStream } from '../../domain/account/events.ts';
import { isOwnToken, type SessionState, sessionDecider, sessionEnded } from '../../domain/account/session.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken, idInToken, tokenPair } from '../tokens.ts';
import { type OpenSession, opened } from './startSession.ts';

/**
 * Replaces both tokens. Reusing a replaced refresh token ends the session. `count` is called with the session's id
 * before its own token renews it, and may refuse: a stranger's token does not count, or it could use up the owner's
 * refreshes. `reused` is called when a replaced token ended the session.
 * @throws DomainError SESSION_ENDED, the same for unknown, expired, reused and ended; ACCOUNT_DISABLED
 */
export async function refreshSession(
  ctx: CommandContext,
  input: {
    readonly refreshToken: string;
    readonly newToken: () => string;
    readonly count?: (sessionId: string) => Promise<void>;
    readonly reused?: (userId: string) => void;
  },
): Promise<OpenSession & { readonly email: string }> {
  const sessionId = idInToken(input.refreshToken);
  if (sessionId === null) throw sessionEnded();
  const presentedHash = hashToken(input.refreshToken);
  const { state: session } = await loadState(ctx.store, sessionDecider, sessionStream(sessionId));
  const email = await emailOf(ctx, session);
  if (isOwnToken(session, presentedHash)) await input.count?.(sessionId);
  const { accessToken, refreshToken, ...hashes } = tokenPair(sessionId, input.newToken);
  const command = { type: 'RefreshSession', presentedHash, at: ctx.now(), ...hashes } as const;
  const { state, position } = await handle(ctx, sessionDecider, sessionStream(sessionId), command);
  if (state.status === 'ended') input.reused?.(state.userId);
  return { sessionId, email, accessToken, refreshToken, ...opened(state), position };
}

/**
 * Of the account, which is read before the tokens are replaced: afterwards nothing may fail, since the former ones no
 * longer work. Disabling ended its sessions: the owner of one is told the reason.
 */
async function emailOf({ store }: CommandContext, session: SessionState): Promise<string> {
  if (session.status === 'none') throw sessionEnded();
  const { state: account } = await loadState(store, accountDecider, accountStream(session.userId));
  if (account.status !== 'active') throw sessionEnded();
  if (account.isDisabled) throw accountDisabled();
  return account.email;
}
