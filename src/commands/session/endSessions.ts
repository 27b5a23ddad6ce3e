import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { DomainError } from '../../domain/decider.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadHistory } from '../handle.ts';
import { endSession } from './endSession.ts';

export type OpenSession = { readonly sessionId: string; readonly startPosition: Position };

/** Lists open sessions, as of position `at` or later. */
export type ListSessions = (userId: string, at: Position) => Promise<readonly OpenSession[]>;

/** Orders the end of a user's sessions; `carryOutSessionsEnd` ends them. */
export async function requestSessionsEnd(
  ctx: CommandContext,
  input: { readonly userId: string; readonly keptSessionId: string | null },
): Promise<{ readonly position: Position }> {
  const { userId, keptSessionId } = input;
  const { position } = await handle(ctx, accountDecider, accountStream(userId), { type: 'EndSessions', keptSessionId, at: ctx.now() });
  return { position };
}

/**
 * Carries out the account's latest order: ends all sessions that started before it. Called by whatever gave the order; after a crash in between, or if
 * read models lagged behind, by the order follower. Safe to repeat. Returns the position of the last event.
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
