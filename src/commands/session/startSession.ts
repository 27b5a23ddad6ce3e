import { type SessionClient, type SessionProof, sessionStream } from '../../domain/account/events.ts';
import { type SessionState, sessionDecider, sessionEnded } from '../../domain/account/session.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';
import { tokenPair } from '../tokens.ts';

export type OpenSession = {
  readonly sessionId: string;
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** UTC ISO. */
  readonly accessExpiresAt: string;
  readonly refreshExpiresAt: string;
  readonly position: Position;
};

/**
 * A repeat with the same command id does not open a second session; it replaces the tokens, because the first response
 * may be lost.
 */
export async function startSession(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly newToken: () => string;
    readonly client?: SessionClient;
    readonly proofs?: readonly SessionProof[];
  },
): Promise<OpenSession> {
  const { userId } = input;
  const sessionId = derivedId(ctx.commandId, userId, 'session');
  const { accessToken, refreshToken, ...hashes } = tokenPair(sessionId, input.newToken);
  const { state, position } = await handle(ctx, sessionDecider, sessionStream(sessionId), {
    type: 'StartSession',
    sessionId,
    userId,
    at: ctx.now(),
    ...hashes,
    ...(input.client ? { client: input.client } : {}),
    ...(input.proofs ? { proofs: input.proofs } : {}),
  });
  return { sessionId, accessToken, refreshToken, ...opened(state), position };
}

/** Owner and expiry times of a session just opened or refreshed. @throws DomainError SESSION_ENDED */
export function opened(state: SessionState): Pick<OpenSession, 'userId' | 'accessExpiresAt' | 'refreshExpiresAt'> {
  if (state.status !== 'active') throw sessionEnded();
  const { userId, accessExpiresAt, refreshExpiresAt } = state;
  return { userId, accessExpiresAt, refreshExpiresAt };
}
