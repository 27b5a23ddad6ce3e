/** What the caller has shown. The only place where routes and sockets ask for it. */
import { loadState } from '../../commands/handle.ts';
import { requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import { sessionStream } from '../../domain/account/events.ts';
import { sessionDecider, showSecondFactor } from '../../domain/account/session.ts';
import { DomainError } from '../../domain/decider.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { secondFactorRequired } from '../request/errors.ts';

/** How long what a session has shown counts as recent. */
const RECENT_MS = 15 * 60 * 1_000;

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

/**
 * Of an account with two-factor authentication, its second factor in this session (`aal2`); of others, nothing.
 * @throws HttpError MFA_REQUIRED
 */
export async function requireSecondFactor(deps: Pick<HttpDeps, 'store'>, caller: Caller): Promise<void> {
  if ((await requiredEnrolment(deps, caller.userId)) === null) return;
  if (!(await hasShownSecondFactor(deps, caller))) throw secondFactorRequired();
}

/** That the session has shown something within the last 15 minutes. @throws DomainError RECENT_LOGIN_REQUIRED */
export async function requireRecentProof(
  { store, now }: Pick<HttpDeps, 'store' | 'now'>,
  { sessionId }: Caller,
): Promise<void> {
  const { state } = await loadState(store, sessionDecider, sessionStream(sessionId));
  const latest = state.status === 'active' ? Math.max(...state.proofs.map(({ at }) => Date.parse(at))) : 0;
  if (Date.parse(now()) - latest > RECENT_MS)
    throw new DomainError('RECENT_LOGIN_REQUIRED', 'Please log out and log in again, then do this within 15 minutes.');
}
