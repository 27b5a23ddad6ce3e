import { isSessionOpen } from '../../commands/session/endSessions.ts';
import { sessionEnded } from '../../domain/account/session.ts';
import type { Caller } from '../request/caller.ts';
import type { RouteRequest } from '../routing/route.ts';

/**
 * Called after setting up something that outlives its session, such as a key: undoes it if the session was ordered to
 * end while the request was under way. Whatever ended the session may have looked for such things just before. @throws
 * DomainError SESSION_ENDED
 */
export async function keepIfOpen(
  { command, caller }: Pick<RouteRequest, 'command'> & { readonly caller: Caller },
  undo: () => Promise<unknown>,
): Promise<void> {
  if (await isSessionOpen(command, caller)) return;
  await undo();
  throw sessionEnded();
}
