import { DomainError } from '../../domain/decider.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { endSession } from './endSession.ts';

/** Maximum number of open sessions per user: logging in repeatedly ends the user's oldest ones. */
export const MOST_SESSIONS = 50;

/**
 * Ends sessions beyond the limit. `open`: the user's sessions, newest first. Sessions left open by a crash are ended at
 * the next log-in. Returns the position of the last event; null if the limit was not exceeded.
 */
export async function endOldestSessions(
  ctx: CommandContext,
  {
    userId,
    keptSessionId,
    open,
  }: {
    readonly userId: string;
    readonly keptSessionId: string;
    readonly open: readonly { readonly sessionId: string }[];
  },
): Promise<Position | null> {
  let last: Position | null = null;
  const others = open.filter(({ sessionId }) => sessionId !== keptSessionId);
  for (const { sessionId } of others.slice(MOST_SESSIONS - 1)) {
    try {
      last = (await endSession(ctx, { sessionId, userId, reason: 'revoked' })).position;
    } catch (error) {
      // Meanwhile ended by another log-in, or with the account.
      if (!(error instanceof DomainError || error instanceof StreamDeleted)) throw error;
    }
  }
  return last;
}
