import { checkPassword } from '../../commands/account/checkPassword.ts';
import { DomainError } from '../../domain/decider.ts';
import type { RouteRequest } from '../route.ts';
import { addressKey } from '../server/rateLimits.ts';
import type { Caller } from './session.ts';

/**
 * Before what an open session alone must not be enough for. Counted a session: a found one must not be a place to try
 * passwords, and what strangers try at the log-in does not keep its owner from anything.
 * @throws DomainError WRONG_PASSWORD, HttpError RATE_LIMITED
 */
export async function confirmPassword(
  { deps, command, limiter, address, caller }: Pick<RouteRequest, 'deps' | 'command' | 'limiter' | 'address'> & { readonly caller: Caller },
  password: string,
): Promise<void> {
  const attempt = await limiter.attemptConfirmation(caller.userId, caller.sessionId);
  const verifyPassword = (hash: string | null, given: string): Promise<boolean> => deps.passwords.verify(hash, given, addressKey(address));
  await checkPassword(command, { userId: caller.userId, password, verifyPassword }).catch(async (error: unknown) => {
    if (!(error instanceof DomainError)) await attempt.undecided();
    throw error;
  });
  await attempt.succeeded();
}
