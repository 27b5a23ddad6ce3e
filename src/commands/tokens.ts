/**
 * Tokens: `{id}.{secret}`, where the id names the session, account or email whose stream has the hash. Only hashes are
 * stored.
 */
import { createHash } from 'node:crypto';

export type TokenPair = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessTokenHash: string;
  readonly refreshTokenHash: string;
};

/** SHA-256 (hex) of the whole token, as stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Null if it cannot be one of our tokens. */
export function idInToken(token: string): string | null {
  return /^([0-9a-f-]{36})\.[A-Za-z0-9_-]{20,200}$/.exec(token)?.[1] ?? null;
}

/** `newToken` returns 32 random bytes, base64url. */
export function tokenPair(id: string, newToken: () => string): TokenPair {
  const accessToken = `${id}.${newToken()}`;
  const refreshToken = `${id}.${newToken()}`;
  return {
    accessToken,
    refreshToken,
    accessTokenHash: hashToken(accessToken),
    refreshTokenHash: hashToken(refreshToken),
  };
}
