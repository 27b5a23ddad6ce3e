import { newChallenge } from '../../commands/secondFactor/challenge.ts';
import { mfaUnavailable, requiredEnrolment } from '../../commands/secondFactor/secondFactor.ts';
import type { SessionProof } from '../../domain/account/events.ts';
import type { MfaChallenge } from '../contract/auth.ts';
import type { HttpDeps } from '../deps/deps.ts';

/** The second step required after the first proof, or null if none is. @throws DomainError MFA_UNAVAILABLE */
export async function challengeOf(
  { store, mfaKeys }: Pick<HttpDeps, 'store' | 'mfaKeys'>,
  account: { readonly userId: string; readonly passwordHash: string | null },
  proof: SessionProof,
): Promise<MfaChallenge | null> {
  if ((await requiredEnrolment({ store }, account.userId)) === null) return null;
  if (!mfaKeys) throw mfaUnavailable();
  const { token, seconds } = newChallenge(mfaKeys, account, proof);
  return { success: true, mfa_required: true, mfa_token: token, expires_in: seconds };
}
