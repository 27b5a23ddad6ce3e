import { accountDecider } from '../../domain/account/decide.ts';
import { type AccountEvent, accountStream, sessionStream } from '../../domain/account/events.ts';
import { sessionDecider } from '../../domain/account/session.ts';
import { DomainError } from '../../domain/decider.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type Position, type Recorded, StreamDeleted } from '../../eventStore/eventStore.ts';
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
  const { position } = await handle(ctx, accountDecider, accountStream(userId), {
    type: 'EndSessions',
    keptSessionId,
    at: ctx.now(),
  });
  return { position };
}

/**
 * Carries out the account's orders: ends all sessions that started before one of them and are not kept by it. Called by
 * whatever gave an order; after a crash in between, or if read models lagged behind, by the order follower. Safe to
 * repeat. Returns the position of the last event.
 */
export async function carryOutSessionsEnd(
  ctx: CommandContext,
  input: { readonly userId: string; readonly list: ListSessions },
): Promise<Position | null> {
  const orders = await sessionOrders(ctx, input.userId);
  const latest = orders.at(-1);
  if (!latest) return null;
  let last: Position = latest.position;
  for (const session of await input.list(input.userId, latest.position)) {
    const order = orderToEnd(orders, session);
    if (!order) continue;
    const { sessionId } = session;
    try {
      last = (await endSession(ctx, { sessionId, userId: input.userId, reason: order.data.reason })).position;
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof StreamDeleted)) throw error;
    }
  }
  return last;
}

type Order = Recorded<Extract<AccountEvent, { readonly type: 'AccountSessionsEnded' }>>;

async function sessionOrders({ store }: Pick<CommandContext, 'store'>, userId: string): Promise<readonly Order[]> {
  return eventsOf((await loadHistory(store, accountDecider, accountStream(userId))).events, 'AccountSessionsEnded');
}

/**
 * The last order that ends the session. An order that keeps it undoes no other: it may come from a request that was
 * under way when the session ended.
 */
function orderToEnd(orders: readonly Order[], { sessionId, startPosition }: OpenSession): Order | undefined {
  return orders.findLast(
    ({ position, data }) => data.keptSessionId !== sessionId && comparePositions(startPosition, position) <= 0,
  );
}

/**
 * For what was done in a session, checked again once it is written: false if the session had been ordered to end by
 * then, even if it was still open when the request began.
 */
export async function isSessionOpen(
  ctx: Pick<CommandContext, 'store'>,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
): Promise<boolean> {
  const { state, events } = await loadHistory(ctx.store, sessionDecider, sessionStream(sessionId));
  const start = events[0];
  if (state.status !== 'active' || !start) return false;
  return orderToEnd(await sessionOrders(ctx, userId), { sessionId, startPosition: start.position }) === undefined;
}
