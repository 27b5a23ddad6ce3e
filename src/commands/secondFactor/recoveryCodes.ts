/** Recovery codes to print, in case the phone is lost. Each works once. */
import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/**
 * Base32: no 0, 1 and 8, which resemble o, l and b. 16 characters are 80 bits: too many to brute-force, even with the
 * hashes.
 */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 16;

const newCode = (): string => {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replaceAll(/.{4}(?=.)/g, '$&-');
};

/** In display format, shown once: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): readonly string[] => Array.from({ length: CODES }, newCode);

/** SHA-256 (hex), independent of how it was typed. */
export function hashRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${userId}:${plain}`).digest('hex');
}
