/** Ends the sessions that were ordered to end. */
import type { ContextOf } from '../../commands/context.ts';
import { carryOutSessionsEnd, type OpenSession } from '../../commands/session/endSessions.ts';
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
    types: ['AccountSessionsEnded'],
    begins: 'at_the_start',
    async follow(event) {
      const ctx = context(event);
      const { userId, endedAt } = event.data;
      if (Date.parse(ctx.now()) - Date.parse(endedAt) > SESSION_LIFE_MS) return;
      await carryOutSessionsEnd(ctx, {
        userId,
        list: (owner, at) => known(asOf, at, 'the sessions that are to end', () => openSessions(owner)),
      });
    },
  });
}
