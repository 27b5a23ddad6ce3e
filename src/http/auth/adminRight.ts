/** Whether a user may administer this installation now. */
import { loadState } from '../../commands/handle.ts';
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { secondFactorDecider, secondFactorStream } from '../../domain/secondFactor/secondFactor.ts';
import type { HttpDeps } from '../deps.ts';
import { adminOnly, secondFactorRequired } from '../errors.ts';
import { mayAdminister } from './policy.ts';

/** `needs_second_factor`: an admin without the second factor that this installation requires of admins. */
export type AdminStanding = 'admin' | 'needs_second_factor' | 'none';

type Sources = Pick<HttpDeps, 'store'> & { readonly config: Pick<HttpDeps['config'], 'adminMfa'> };

/** Read from the streams themselves: a withdrawn right stops working at once, even when the read models lag. */
export async function adminStanding({ store, config }: Sources, userId: string): Promise<AdminStanding> {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  if (!mayAdminister({ userId }, state.status === 'active' && state.isAdmin && !state.isDisabled)) return 'none';
  if (!config.adminMfa) return 'admin';
  const factor = await loadState(store, secondFactorDecider, secondFactorStream(userId));
  return factor.state.enabled ? 'admin' : 'needs_second_factor';
}

/** @throws HttpError FORBIDDEN, MFA_REQUIRED */
export async function requireAdmin(sources: Sources, userId: string): Promise<void> {
  const standing = await adminStanding(sources, userId);
  if (standing === 'none') throw adminOnly();
  if (standing === 'needs_second_factor') throw secondFactorRequired();
}
