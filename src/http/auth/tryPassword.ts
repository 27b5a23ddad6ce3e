import type { VerifyPassword } from '../../commands/account/checkPassword.ts';
import { DomainError } from '../../domain/decider.ts';
import { passwordForms } from '../../model/passwordForms.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { addressKey } from '../request/rateLimits.ts';
import type { RouteRequest } from '../routing/route.ts';
import { knownBrowser } from './knownBrowser.ts';

/** Counts a refused log-in; null: of no account. */
export const refusedLogIn =
  ({ tallies }: Pick<HttpDeps, 'tallies'>) =>
  (userId: string | null): void =>
    tallies.note({ type: 'LogInsRefused', userId });

/**
 * One try of an account's password by somebody who is not logged in to it. Limits, the hashing budget and security
 * events are those of a log-in, wherever it is typed. `check` throws a DomainError if the password is wrong. @throws
 * HttpError RATE_LIMITED
 */
export async function tryPassword<Found>(
  { deps, limiter, address, cookies }: Pick<RouteRequest, 'deps' | 'limiter' | 'address' | 'cookies'>,
  { email, password }: { readonly email: string; readonly password: string },
  check: (verifyPassword: VerifyPassword) => Promise<Found>,
): Promise<Found> {
  const browser = knownBrowser(deps, cookies, email);
  const attempt = await limiter.attemptLogin(email, address, passwordForms(password).length, browser);
  const found = await check((hash, password) => deps.passwords.verify(hash, password, addressKey(address))).catch(
    async (error: unknown) => {
      if (!(error instanceof DomainError)) await attempt.undecided();
      throw error;
    },
  );
  await attempt.succeeded();
  return found;
}
