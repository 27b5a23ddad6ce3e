/**
 * API keys as their owners hold them: a prefix that secret scanners recognize, and 256 random bits. Only the hash is
 * stored.
 */
import { hashToken } from '../tokens.ts';

export const API_KEY_PREFIX = 'seo_live_';

const API_KEY = /^seo_live_[A-Za-z0-9_-]{43}$/;
const HINT_CHARACTERS = 4;
/** Characters of the hash: enough to identify the key without revealing any of it. */
const ID_CHARACTERS = 32;

export const isApiKey = (token: string): boolean => API_KEY.test(token);

/** `newToken` returns 32 random bytes, base64url. */
export function newApiKey(newToken: () => string): string {
  return `${API_KEY_PREFIX}${newToken()}`;
}

export function apiKeyFacts(key: string): { readonly keyId: string; readonly keyHash: string; readonly hint: string } {
  const keyHash = hashToken(key);
  return { keyId: keyHash.slice(0, ID_CHARACTERS), keyHash, hint: key.slice(-HINT_CHARACTERS) };
}
