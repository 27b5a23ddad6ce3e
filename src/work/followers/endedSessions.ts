/** Ends the sessions that were ordered to end. */
import type { ContextOf } from '../../commands/context.ts';
import { carryOutSessionsEnd, type OpenSession } from '../../commands/session/endSessions.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf, NotYet } from '../follower.ts';

export type EndedSessionsDeps = {
  readonly context: ContextOf;
  /** Whether `openSessions` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly openSessions: (userId: string) => Promise<readonly OpenSession[]>;
};

/** The maximum lifetime of a session: an older order has nothing left to end. */
const SESSION_LIFE_MS = 31 * 24 * 60 * 60 * 1_000;

export function createEndedSessions({ context, reached, openSessions }: EndedSessionsDeps): Follower {
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
        list: async (owner, at) => {
          if (!(await reached(at))) throw new NotYet('The sessions that are to end are not known yet.');
          return openSessions(owner);
        },
      });
    },
  });
}
