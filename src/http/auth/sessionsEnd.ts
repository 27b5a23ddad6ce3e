import type { CommandContext } from '../../commands/context.ts';
import { carryOutSessionsEnd } from '../../commands/session/endSessions.ts';
import { getAccount } from '../../projections/accounts.ts';
import { listSessions } from '../../projections/sessions.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { afterWrite } from '../routing/afterWrite.ts';

/** Ends the sessions that were to be ended before responding. If the read models lag, a follower ends the rest. */
export async function endOrderedSessions(deps: HttpDeps, command: CommandContext, userId: string): Promise<void> {
  const last = await carryOutSessionsEnd(command, {
    userId,
    list: (owner, at) =>
      afterWrite(deps, { position: at, otherwise: () => listSessions(deps.readModels, owner) }, (shown) =>
        listSessions(shown, owner),
      ),
  });
  if (last)
    await afterWrite(deps, { position: last, answer: null }, (shown) =>
      Promise.all([listSessions(shown, userId), getAccount(shown, userId)]),
    );
}
