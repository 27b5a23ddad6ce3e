import { DomainError } from '../../domain/decider.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { endSession } from './endSession.ts';

/** Sessions that a user may have open at once: whoever logs in over and over ends their own oldest ones. */
export const MOST_SESSIONS = 50;

/**
 * Ends what is more than that. `open`: the user's sessions, newest first. What a crash leaves open is ended at the next log-in. Answers the position of
 * the last event; null: there were none too many.
 */
export async function endOldestSessions(
  ctx: CommandContext,
  { userId, keptSessionId, open }: { readonly userId: string; readonly keptSessionId: string; readonly open: readonly { readonly sessionId: string }[] },
): Promise<Position | null> {
  let last: Position | null = null;
  const others = open.filter(({ sessionId }) => sessionId !== keptSessionId);
  for (const { sessionId } of others.slice(MOST_SESSIONS - 1)) {
    try {
      last = (await endSession(ctx, { sessionId, userId, reason: 'revoked' })).position;
    } catch (error) {
      // Ended meanwhile by another log-in, or with the account.
      if (!(error instanceof DomainError || error instanceof StreamDeleted)) throw error;
    }
  }
  return last;
}
