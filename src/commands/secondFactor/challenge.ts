/**
 * Bridges a correct password and a session: a token naming the account whose second factor is required. It is not
 * stored. It is useless without a code, and expires after a few minutes or when the password changes. It has two
 * signatures: one binds it to the password; the other, over everything else, shows without reading the account that it
 * is one of ours.
 */
import { DomainError } from '../../domain/decider.ts';
import type { MfaKeys } from './mfaKeys.ts';

const LIFETIME_MS = 5 * 60 * 1_000;

const TOKEN = /^([0-9a-f-]{36})\.(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

const signedText = (userId: string, expires: string, secret: string): string => `${userId}.${expires}.${secret}`;

type Account = { readonly userId: string; readonly passwordHash: string };

export function newChallenge(
  keys: MfaKeys,
  { userId, passwordHash }: Account,
  at: string,
): { readonly token: string; readonly seconds: number } {
  const expires = String(Date.parse(at) + LIFETIME_MS);
  const text = signedText(userId, expires, keys.sign(signedText(userId, expires, passwordHash)));
  return { token: `${text}.${keys.sign(text)}`, seconds: LIFETIME_MS / 1_000 };
}

/**
 * The user that the token was issued for.
 * @throws DomainError MFA_CHALLENGE_ENDED if it has expired or is not one of ours
 */
export function userInChallenge(keys: MfaKeys, token: string, at: string): string {
  const [, userId = '', expires = '', ofPassword = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!keys.isSigned(signedText(userId, expires, ofPassword), signature) || Number(expires) <= Date.parse(at))
    throw challengeEnded();
  return userId;
}

/** When the password was right; UTC ISO. For a token that `userInChallenge` has accepted. */
export function challengedAt(token: string): string {
  const [, , expires = ''] = TOKEN.exec(token) ?? [];
  return new Date(Number(expires) - LIFETIME_MS).toISOString();
}

/** Called with that user's account. @throws DomainError MFA_CHALLENGE_ENDED if the password has changed */
export function checkChallenge(keys: MfaKeys, token: string, { userId, passwordHash }: Account): void {
  const [, , expires = '', ofPassword = ''] = TOKEN.exec(token) ?? [];
  if (!keys.isSigned(signedText(userId, expires, passwordHash), ofPassword)) throw challengeEnded();
}

export const challengeEnded = (): DomainError =>
  new DomainError('MFA_CHALLENGE_ENDED', 'That took too long. Please log in again.');
