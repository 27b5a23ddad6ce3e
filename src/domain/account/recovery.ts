/** Requests for a new password: how many, how long their links are good, and that one use ends them all. */
import { DomainError } from '../decider.ts';

export type ResetRequest = {
  readonly requestId: string;
  readonly askedAt: string;
  /** Null until the mail is on its way, and after the request has been used. */
  readonly expiresAt: string | null;
  /** A pair for each time that the mail may have left. */
  readonly tokens: readonly { readonly accessTokenHash: string; readonly refreshTokenHash: string }[];
};

/** Mails with a link that one account gets in an hour at most, whoever asks for them. */
const MAX_RESETS_AN_HOUR = 3;
const HOUR_MS = 60 * 60 * 1_000;

export const asked = (resets: readonly ResetRequest[], { requestId, askedAt }: { readonly requestId: string; readonly askedAt: string }) =>
  [...resets, { requestId, askedAt, expiresAt: null, tokens: [] }].slice(-MAX_RESETS_AN_HOUR);

type Issued = { readonly requestId: string; readonly accessTokenHash: string; readonly refreshTokenHash: string; readonly expiresAt: string };

export function issued(resets: readonly ResetRequest[], { requestId, expiresAt, accessTokenHash, refreshTokenHash }: Issued): readonly ResetRequest[] {
  return resets.map((reset) =>
    reset.requestId === requestId ? { ...reset, expiresAt, tokens: [...reset.tokens, { accessTokenHash, refreshTokenHash }] } : reset,
  );
}

/** No link that was ever sent opens anything any more; how many were asked for still counts. */
export const voided = (resets: readonly ResetRequest[]): readonly ResetRequest[] => resets.map((reset) => ({ ...reset, expiresAt: null, tokens: [] }));

export const mayAsk = (resets: readonly ResetRequest[], at: string): boolean =>
  resets.filter(({ askedAt }) => Date.parse(askedAt) > Date.parse(at) - HOUR_MS).length < MAX_RESETS_AN_HOUR;

export const linkExpiry = (at: string): string => new Date(Date.parse(at) + HOUR_MS).toISOString();

/** The request whose link carries the token, and with it the refresh token when one is given. @throws DomainError RESET_INVALID */
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
        (pair) => pair.accessTokenHash === shown.accessTokenHash && (shown.refreshTokenHash === undefined || pair.refreshTokenHash === shown.refreshTokenHash),
      ),
  );
  if (!open) throw resetInvalid();
  return open;
}

export function resetInvalid(): DomainError {
  return new DomainError('RESET_INVALID', 'Invalid or expired reset link. Please request a new password reset.');
}
