/**
 * Bridges a correct password and a session: a token naming the account whose second factor is required. It is not stored. It is useless without a code,
 * and expires after a few minutes or when the password changes.
 */
import { DomainError } from '../../domain/decider.ts';
import type { MfaKeys } from './mfaKeys.ts';

const LIFETIME_MS = 5 * 60 * 1_000;

const TOKEN = /^([0-9a-f-]{36})\.(\d{13})\.([A-Za-z0-9_-]{43})$/;

const signedText = (userId: string, expires: string, passwordHash: string): string => `${userId}.${expires}.${passwordHash}`;

type Account = { readonly userId: string; readonly passwordHash: string };

export function newChallenge(keys: MfaKeys, { userId, passwordHash }: Account, at: string): { readonly token: string; readonly seconds: number } {
  const expires = String(Date.parse(at) + LIFETIME_MS);
  return { token: `${userId}.${expires}.${keys.sign(signedText(userId, expires, passwordHash))}`, seconds: LIFETIME_MS / 1_000 };
}

/** The user it claims to be for; null if it is not one of our tokens. */
export const userInChallenge = (token: string): string | null => TOKEN.exec(token)?.[1] ?? null;

/** @throws DomainError MFA_CHALLENGE_ENDED */
export function checkChallenge(keys: MfaKeys, token: string, { userId, passwordHash }: Account, at: string): void {
  const [, named, expires = '', signature = ''] = TOKEN.exec(token) ?? [];
  const isGood = named === userId && Number(expires) > Date.parse(at) && keys.isSigned(signedText(userId, expires, passwordHash), signature);
  if (!isGood) throw challengeEnded();
}

export const challengeEnded = (): DomainError => new DomainError('MFA_CHALLENGE_ENDED', 'That took too long. Please log in again.');
