/** Password reset requests: rate limit, link lifetime, and how one use invalidates them all. */
import { DomainError } from '../decider.ts';

export type ResetRequest = {
  readonly requestId: string;
  readonly askedAt: string;
  /** Null until the email is sent, and after the request was used. */
  readonly expiresAt: string | null;
  /** One pair per possible send of the email. */
  readonly tokens: readonly { readonly accessTokenHash: string; readonly refreshTokenHash: string }[];
};

/** Maximum number of reset emails per account per hour, no matter who requests them. */
const MAX_RESETS_AN_HOUR = 3;
const HOUR_MS = 60 * 60 * 1_000;

export const asked = (
  resets: readonly ResetRequest[],
  { requestId, askedAt }: { readonly requestId: string; readonly askedAt: string },
) => [...resets, { requestId, askedAt, expiresAt: null, tokens: [] }].slice(-MAX_RESETS_AN_HOUR);

type Issued = {
  readonly requestId: string;
  readonly accessTokenHash: string;
  readonly refreshTokenHash: string;
  readonly expiresAt: string;
};

export function issued(
  resets: readonly ResetRequest[],
  { requestId, expiresAt, accessTokenHash, refreshTokenHash }: Issued,
): readonly ResetRequest[] {
  return resets.map((reset) =>
    reset.requestId === requestId
      ? { ...reset, expiresAt, tokens: [...reset.tokens, { accessTokenHash, refreshTokenHash }] }
      : reset,
  );
}

/** Invalidates every link ever sent; the requests still count toward the limit. */
export const voided = (resets: readonly ResetRequest[]): readonly ResetRequest[] =>
  resets.map((reset) => ({ ...reset, expiresAt: null, tokens: [] }));

export const mayAsk = (resets: readonly ResetRequest[], at: string): boolean =>
  resets.filter(({ askedAt }) => Date.parse(askedAt) > Date.parse(at) - HOUR_MS).length < MAX_RESETS_AN_HOUR;

export const linkExpiry = (at: string): string => new Date(Date.parse(at) + HOUR_MS).toISOString();

/** The request whose link carries the token and, if given, the refresh token. @throws DomainError RESET_INVALID */
export function openReset(
  resets: readonly ResetRequest[],
  shown: { readonly accessTokenHash: string; readonly refreshTokenHash?: string },
  at: string,
): ResetRequest {
  const open = resets.find(
    ({ expiresAt, tokens }) =>
      expiresAt !== null &&
      at < expiresAt &&
      tokens.some(
        (pair) =>
          pair.accessTokenHash === shown.accessTokenHash &&
          (shown.refreshTokenHash === undefined || pair.refreshTokenHash === shown.refreshTokenHash),
      ),
  );
  if (!open) throw resetInvalid();
  return open;
}

export function resetInvalid(): DomainError {
  return new DomainError('RESET_INVALID', 'Invalid or expired reset link. Please request a new password reset.');
}
