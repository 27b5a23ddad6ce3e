/**
 * Bridges the first proof of a log-in (a password, an email, an identity) and a session: a token naming the account
 * whose second factor is required. It is not stored. It is useless without a code, and expires after a few minutes or
 * when the password changes. It has two signatures: one binds it to the password; the other, over everything else,
 * shows without reading the account that it is one of ours.
 */
import type { SessionProof } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { MfaKeys } from './mfaKeys.ts';

const LIFETIME_MS = 5 * 60 * 1_000;

/** User, expiry with the first proof (nothing after it: a password), and the two signatures. */
const TOKEN =
  /^([0-9a-f-]{36})\.(\d{13}(?:~mail|~provider~[a-z0-9-]{1,40})?)\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

const signedText = (userId: string, expires: string, secret: string): string => `${userId}.${expires}.${secret}`;

type Account = { readonly userId: string; readonly passwordHash: string | null };

const partsOf = (token: string) => {
  const [, userId = '', expires = '', ofPassword = '', signature = ''] = TOKEN.exec(token) ?? [];
  const [ends = '', kind = 'password', provider] = expires.split('~');
  return { userId, expires, ends: Number(ends), kind, provider, ofPassword, signature };
};

/** `proof`: what was shown, now. */
export function newChallenge(
  keys: MfaKeys,
  { userId, passwordHash }: Account,
  { kind, provider, at }: SessionProof,
): { readonly token: string; readonly seconds: number } {
  const ends = String(Date.parse(at) + LIFETIME_MS);
  const expires = kind === 'password' ? ends : [ends, kind, ...(provider ? [provider] : [])].join('~');
  const text = signedText(userId, expires, keys.sign(signedText(userId, expires, passwordHash ?? '')));
  return { token: `${text}.${keys.sign(text)}`, seconds: LIFETIME_MS / 1_000 };
}

/**
 * The user that the token was issued for.
 * @throws DomainError MFA_CHALLENGE_ENDED if it has expired or is not one of ours
 */
export function userInChallenge(keys: MfaKeys, token: string, at: string): string {
  const { userId, expires, ends, ofPassword, signature } = partsOf(token);
  if (!keys.isSigned(signedText(userId, expires, ofPassword), signature) || ends <= Date.parse(at))
    throw challengeEnded();
  return userId;
}

/** What was shown before the token was given. For one that `userInChallenge` has accepted. */
export function proofInChallenge(token: string): SessionProof {
  const { ends, kind, provider } = partsOf(token);
  const at = new Date(ends - LIFETIME_MS).toISOString();
  if (kind === 'provider' && provider) return { kind, at, provider };
  return { kind: kind === 'mail' ? kind : 'password', at };
}

/** Called with that user's account. @throws DomainError MFA_CHALLENGE_ENDED if the password has changed */
export function checkChallenge(keys: MfaKeys, token: string, { userId, passwordHash }: Account): void {
  const { expires, ofPassword } = partsOf(token);
  if (!keys.isSigned(signedText(userId, expires, passwordHash ?? ''), ofPassword)) throw challengeEnded();
}

export const challengeEnded = (): DomainError =>
  new DomainError('MFA_CHALLENGE_ENDED', 'That took too long. Please log in again.');
