import type { CommandContext } from '../../commands/context.ts';
import { carryOutSessionsEnd } from '../../commands/session/endSessions.ts';
import { listSessions } from '../../projections/sessions.ts';
import type { HttpDeps } from '../deps.ts';
import { caughtUp } from '../readYourWrites.ts';

/** Ends the sessions that were to be ended before responding. If the read models lag, a follower ends the rest. */
export async function endOrderedSessions(deps: HttpDeps, command: CommandContext, userId: string): Promise<void> {
  const last = await carryOutSessionsEnd(command, {
    userId,
    list: async (owner, at) => {
      await caughtUp(deps, ['sessions'], at);
      return listSessions(deps.readModels, owner);
    },
  });
  if (last) await caughtUp(deps, ['sessions', 'accounts'], last);
}
