/** What the caller has shown. The only place where routes and sockets ask for it. */

import { loadState } from '../../commands/handle.ts';
import { requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import { sessionStream } from '../../domain/account/events.ts';
import { sessionDecider, showSecondFactor } from '../../domain/account/session.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';

/**
 * Whether a second factor was shown in the caller's session. Read from the session's own stream, so that a proof
 * counts, and stops counting, at once. An API key carries no proofs: whoever created it is judged by their account.
 */
export async function hasShownSecondFactor(
  { store }: Pick<HttpDeps, 'store'>,
  { userId, sessionId, apiKey }: Caller,
): Promise<boolean> {
  if (apiKey) return (await requiredEnrolment({ store }, userId)) !== null;
  const { state } = await loadState(store, sessionDecider, sessionStream(sessionId));
  return state.status === 'active' && showSecondFactor(state.proofs);
}
