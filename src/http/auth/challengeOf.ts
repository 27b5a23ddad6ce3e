import { newChallenge } from '../../commands/secondFactor/challenge.ts';
import { mfaUnavailable, requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import type { MfaChallenge } from '../contract/auth.ts';
import type { HttpDeps } from '../deps/deps.ts';

/** The second step required after a correct password, or null if none is. @throws DomainError MFA_UNAVAILABLE */
export async function challengeOf(
  { store, mfaKeys, now }: Pick<HttpDeps, 'store' | 'mfaKeys' | 'now'>,
  account: { readonly userId: string; readonly passwordHash: string },
): Promise<MfaChallenge | null> {
  if ((await requiredEnrolment({ store }, account.userId)) === null) return null;
  if (!mfaKeys) throw mfaUnavailable();
  const { token, seconds } = newChallenge(mfaKeys, account, now());
  return { success: true, mfa_required: true, mfa_token: token, expires_in: seconds };
}
