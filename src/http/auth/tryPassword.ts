import type { VerifyPassword } from '../../commands/account/checkPassword.ts';
import { DomainError } from '../../domain/decider.ts';
import type { RouteRequest } from '../route.ts';
import { addressKey } from '../server/rateLimits.ts';

/**
 * One try of an account's password by somebody who is not logged in to it. Limits, the hashing budget and security events are those of a log-in, wherever it
 * is typed. `check` throws a DomainError if the password is wrong. @throws HttpError RATE_LIMITED
 */
export async function tryPassword<Found>(
  { deps, limiter, address, log }: Pick<RouteRequest, 'deps' | 'limiter' | 'address' | 'log'>,
  email: string,
  check: (verifyPassword: VerifyPassword) => Promise<Found>,
): Promise<Found> {
  const attempt = await limiter.attemptLogin(email, address);
  const found = await check((hash, password) => deps.passwords.verify(hash, password, addressKey(address))).catch(async (error: unknown) => {
    if (error instanceof DomainError) log().info({ event: 'login_refused', address }, 'log-in refused');
    else await attempt.undecided();
    throw error;
  });
  await attempt.succeeded();
  return found;
}
