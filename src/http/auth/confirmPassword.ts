import { checkPassword } from '../../commands/account/checkPassword.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Caller } from '../request/caller.ts';
import { addressKey } from '../request/rateLimits.ts';
import type { RouteRequest } from '../routing/route.ts';

/**
 * For actions that need more than an open session. Attempts are limited per session: a stolen session cannot be used to
 * guess passwords, and strangers' log-in attempts do not lock out the owner.
 * @throws DomainError WRONG_PASSWORD, HttpError RATE_LIMITED
 */
export async function confirmPassword(
  {
    deps,
    command,
    limiter,
    address,
    caller,
  }: Pick<RouteRequest, 'deps' | 'command' | 'limiter' | 'address'> & { readonly caller: Caller },
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
