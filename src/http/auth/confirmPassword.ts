import { checkPassword } from '../../commands/account/checkPassword.ts';
import { DomainError } from '../../domain/decider.ts';
import { getAccount } from '../../projections/accounts.ts';
import { unauthenticated } from '../errors.ts';
import type { RouteRequest } from '../route.ts';
import type { Caller } from './session.ts';

/**
 * Before what an open session alone must not be enough for. Counted like a log-in: a found session must not be a place to try passwords.
 * @throws DomainError WRONG_PASSWORD, HttpError RATE_LIMITED
 */
export async function confirmPassword(
  { deps, command, limiter, address, caller }: Pick<RouteRequest, 'deps' | 'command' | 'limiter' | 'address'> & { readonly caller: Caller },
  password: string,
): Promise<void> {
  const account = await getAccount(deps.readModels, caller.userId);
  if (!account) throw unauthenticated();
  const attempt = await limiter.attemptLogin(account.data.email, address);
  const { verify } = deps.passwords;
  await checkPassword(command, { userId: caller.userId, password, verifyPassword: verify }).catch(async (error: unknown) => {
    if (!(error instanceof DomainError)) await attempt.undecided();
    throw error;
  });
  await attempt.succeeded();
}
