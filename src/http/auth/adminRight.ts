/** Whether a user may administer this installation now. */

import { loadState } from '../../commands/handle.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { adminOnly, adminSessionExpired, secondFactorRequired } from '../request/errors.ts';
import { administersUntil } from './adminSession.ts';
import { mayAdminister } from './policy.ts';
import { hasShownSecondFactor } from './proofs.ts';

/**
 * `needs_second_factor`: an admin whose session has not shown the second factor that this installation requires of
 * admins. `expired`: an admin who has to log in again to administer.
 */
export type AdminStanding = 'admin' | 'needs_second_factor' | 'expired' | 'none';

type Sources = Pick<HttpDeps, 'store' | 'presence' | 'now'> & { readonly config: Pick<HttpDeps['config'], 'adminMfa'> };

/**
 * The right is read from the streams themselves: a withdrawn one stops working at once, even when the read models lag.
 */
export async function adminStanding(sources: Sources, caller: Caller): Promise<AdminStanding> {
  const standing = await standingOf(sources, caller);
  // A key has an expiry of its own.
  if (standing !== 'admin' || caller.apiKey) return standing;
  return (await administersUntil(sources, caller)) > sources.now() ? 'admin' : 'expired';
}

async function standingOf({ store, config }: Sources, caller: Caller): Promise<AdminStanding> {
  const { state } = await loadState(store, accountDecider, accountStream(caller.userId));
  if (!mayAdminister(caller, state.status === 'active' && state.isAdmin && !state.isDisabled)) return 'none';
  return !config.adminMfa || (await hasShownSecondFactor({ store }, caller)) ? 'admin' : 'needs_second_factor';
}

/** @throws HttpError FORBIDDEN, MFA_REQUIRED, ADMIN_SESSION_EXPIRED */
export async function requireAdmin(sources: Sources, caller: Caller): Promise<void> {
  const standing = await adminStanding(sources, caller);
  if (standing === 'none') throw adminOnly();
  if (standing === 'needs_second_factor') throw secondFactorRequired();
  if (standing === 'expired') throw adminSessionExpired();
}
