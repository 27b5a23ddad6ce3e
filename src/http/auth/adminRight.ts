/** Whether somebody may administer this installation now. */
import { loadState } from '../../commands/handle.ts';
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { secondFactorDecider, secondFactorStream } from '../../domain/secondFactor/secondFactor.ts';
import type { HttpDeps } from '../deps.ts';
import { adminOnly, secondFactorRequired } from '../errors.ts';
import { mayAdminister } from './policy.ts';

/** `needs_second_factor`: an admin, where admins must have one. */
export type AdminStanding = 'admin' | 'needs_second_factor' | 'none';

type Sources = Pick<HttpDeps, 'store'> & { readonly config: Pick<HttpDeps['config'], 'adminMfa'> };

/** As the streams themselves have it: a right that was withdrawn opens nothing any more, however far behind the read models are. */
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
