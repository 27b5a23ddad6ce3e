import { checkPassword } from '../../commands/account/checkPassword.ts';
import { loadState } from '../../commands/handle.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Caller } from '../request/caller.ts';
import { unauthenticated } from '../request/errors.ts';
import { addressKey } from '../request/rateLimits.ts';
import type { RouteRequest } from '../routing/route.ts';
import { requireRecentProof } from './proofs.ts';

type Confirming = Pick<RouteRequest, 'deps' | 'command' | 'limiter' | 'address'> & { readonly caller: Caller };

/**
 * For actions that need more than an open session: the password of an account that has one; of others, that its session
 * has shown something within the last 15 minutes.
 * @throws DomainError WRONG_PASSWORD, RECENT_LOGIN_REQUIRED; HttpError RATE_LIMITED
 */
export async function confirmOwner(request: Confirming, password: string | undefined): Promise<ActiveAccount> {
  const { command, caller } = request;
  const { state } = await loadState(command.store, accountDecider, accountStream(caller.userId));
  if (state.status !== 'active') throw unauthenticated();
  if (state.passwordHash !== null) {
    if (password === undefined) throw new DomainError('WRONG_PASSWORD', 'Please enter your current password');
    return confirmPassword(request, password);
  }
  await requireRecentProof(command, caller);
  return state;
}

/**
 * For actions that need more than an open session. Attempts are limited per session: a stolen session cannot be used to
 * guess passwords, and strangers' log-in attempts do not lock out the owner.
 * @throws DomainError WRONG_PASSWORD, HttpError RATE_LIMITED
 */
export async function confirmPassword(
  { deps, command, limiter, address, caller }: Confirming,
  password: string,
): Promise<ActiveAccount & { readonly passwordHash: string }> {
  const attempt = await limiter.attemptConfirmation(caller.userId, caller.sessionId);
  const verifyPassword = (hash: string | null, given: string): Promise<boolean> =>
    deps.passwords.verify(hash, given, addressKey(address));
  const account = await checkPassword(command, { userId: caller.userId, password, verifyPassword }).catch(
    async (error: unknown) => {
      if (!(error instanceof DomainError)) await attempt.undecided();
      throw error;
    },
  );
  await attempt.succeeded();
  return account;
}

/** Whether somebody gets in without passkeys and identities: by the password, or by an emailed code. */
export const hasOtherWay = (
  { passwordHash, emailProof }: Pick<ActiveAccount, 'passwordHash' | 'emailProof'>,
  { mail }: Pick<RouteRequest['deps']['config'], 'mail'>,
): boolean => passwordHash !== null || (mail && emailProof === 'confirmed');
