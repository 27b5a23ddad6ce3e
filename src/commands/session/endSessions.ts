import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { DomainError } from '../../domain/decider.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory } from '../handle.ts';
import { endSession } from './endSession.ts';

export type OpenSession = { readonly sessionId: string; readonly startPosition: Position };

/** Sessions that are open, as of a position that is not before `at`. */
export type ListSessions = (userId: string, at: Position) => Promise<readonly OpenSession[]>;

/** The wish to end a user's sessions; `carryOutSessionsEnd` does it. */
export async function askSessionsEnd(
  ctx: CommandContext,
  input: { readonly userId: string; readonly keptSessionId: string | null },
): Promise<{ readonly position: Position }> {
  const { userId, keptSessionId } = input;
  const { position } = await handle(ctx, accountDecider, accountStream(userId), { type: 'EndSessions', keptSessionId, at: ctx.now() });
  return { position };
}

/**
 * Ends what the account's newest order says: all that began before it. Called by who gave the order; after a crash in between, and where
 * read models were behind, by the follower of orders. Safe to repeat. Returns the position of the last event.
 */
export async function carryOutSessionsEnd(ctx: CommandContext, input: { readonly userId: string; readonly list: ListSessions }): Promise<Position | null> {
  const { events } = await loadHistory(ctx.store, accountDecider, accountStream(input.userId));
  const order = eventsOf(events, 'AccountSessionsEnded').at(-1);
  if (!order) return null;
  const { keptSessionId, reason } = order.data;
  let last: Position = order.position;
  for (const { sessionId, startPosition } of await input.list(input.userId, order.position)) {
    if (sessionId === keptSessionId || startPosition > order.position) continue;
    try {
      last = (await endSession(ctx, { sessionId, userId: input.userId, reason })).position;
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof StreamDeleted)) throw error;
    }
  }
  return last;
}
