/**
 * Cryptography with the installation's secret for second factors: the secret is not in the log, so a copy of the log
 * reveals no secrets and cannot sign.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export type MfaKeys = {
  /** The text can be recovered only by `open` with the same owner. */
  seal(text: string, owner: string): string;
  /** Null if sealed with another secret or for another owner, or damaged. */
  open(sealed: string, owner: string): string | null;
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
};

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function mfaKeys(secret: string): MfaKeys {
  const keyFor = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `second factor: ${purpose}`, 32));
  const [sealing, signing] = [keyFor('secrets'), keyFor('challenges')];
  const signatureOf = (text: string): Buffer => createHmac('sha256', signing).update(text).digest();
  return {
    seal: (text, owner) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return null;
      }
    },
    sign: (text) => signatureOf(text).toString('base64url'),
    isSigned: (text, signature) => {
      const [right, given] = [signatureOf(text), Buffer.from(signature, 'base64url')];
      return right.length === given.length && timingSafeEqual(right, given);
    },
  };
}
