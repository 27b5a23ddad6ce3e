/** Ends the sessions that were ordered to end, and gives the order that follows from a second factor. */

import type { CommandContext, ContextOf } from '../../commands/context.ts';
import { loadHistory } from '../../commands/handle.ts';
import { requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import { carryOutSessionsEnd, type OpenSession, requestSessionsEnd } from '../../commands/session/endSessions.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { SecondFactorEvent } from '../../domain/secondFactor/events.ts';
import { eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type Recorded } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

export type EndedSessionsDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  readonly openSessions: (userId: string) => Promise<readonly OpenSession[]>;
};

/** The maximum lifetime of a session: an older order has nothing left to end. */
const SESSION_LIFE_MS = 31 * 24 * 60 * 60 * 1_000;

export function createEndedSessions({ context, asOf, openSessions }: EndedSessionsDeps): Follower {
  return followerOf({
    name: 'endedSessions',
    types: ['AccountSessionsEnded', 'SecondFactorEnabled'],
    begins: 'at_the_start',
    async follow(event) {
      const ctx = context(event);
      if (isOf(event, 'SecondFactorEnabled')) return orderEnd(ctx, event);
      const { userId, endedAt } = event.data;
      if (Date.parse(ctx.now()) - Date.parse(endedAt) > SESSION_LIFE_MS) return;
      await carryOutSessionsEnd(ctx, {
        userId,
        list: (owner, at) => known(asOf, at, 'the sessions that are to end', () => openSessions(owner)),
      });
    },
  });
}

/**
 * The second half of turning a second factor on: sessions that log-ins opened without it until then end, too. Nothing
 * to do if the command has given that order, or if the factor has been turned off again.
 */
async function orderEnd(
  ctx: CommandContext,
  { position, data }: Recorded<Extract<SecondFactorEvent, { readonly type: 'SecondFactorEnabled' }>>,
): Promise<void> {
  const { userId, enrolmentId, keptSessionId } = data;
  if (keptSessionId === undefined || (await requiredEnrolment(ctx, userId)) !== enrolmentId) return;
  const { state, events } = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const isOrdered = eventsOf(events, 'AccountSessionsEnded').some(
    (order) => comparePositions(order.position, position) > 0,
  );
  if (state.status === 'active' && !isOrdered) await requestSessionsEnd(ctx, { userId, keptSessionId });
}
