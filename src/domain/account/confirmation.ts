/** Address confirmation emails: rate limit, link lifetime, and invalidation. */
import { DomainError } from '../decider.ts';

export type ConfirmationRequest = {
  readonly requestId: string;
  /** The account's own address, or the one it is moving to. */
  readonly email: string;
  readonly askedAt: string;
  /** False once the link was used or a later request superseded it. */
  readonly isOpen: boolean;
  /** One per possible send of the email. */
  readonly links: readonly { readonly tokenHash: string; readonly expiresAt: string }[];
};

/** Maximum number of confirmation emails per account per hour. */
const MAX_AN_HOUR = 5;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

type Asked = { readonly requestId: string; readonly email: string; readonly askedAt: string };

/**
 * Earlier links to the same address stay valid, since either email may be the one that is read; so do links to the
 * account's own address. Any other request is superseded.
 */
export function confirmationAsked(
  requests: readonly ConfirmationRequest[],
  { requestId, email, askedAt }: Asked,
  own: string,
): readonly ConfirmationRequest[] {
  const earlier = requests.map((request) =>
    request.email === email || request.email === own ? request : closed(request),
  );
  return [...earlier, { requestId, email, askedAt, isOpen: true, links: [] }].slice(-MAX_AN_HOUR);
}

type Issued = { readonly requestId: string; readonly tokenHash: string; readonly expiresAt: string };

export function confirmationIssued(
  requests: readonly ConfirmationRequest[],
  { requestId, tokenHash, expiresAt }: Issued,
): readonly ConfirmationRequest[] {
  return requests.map((request) =>
    request.requestId === requestId ? { ...request, links: [...request.links, { tokenHash, expiresAt }] } : request,
  );
}

/** Invalidates all links to the address; the requests still count toward the limit. */
export const confirmationEnded = (
  requests: readonly ConfirmationRequest[],
  email: string,
): readonly ConfirmationRequest[] => requests.map((request) => (request.email === email ? closed(request) : request));

/**
 * Invalidates all links to addresses other than the account's own: whoever requested one may no longer have a right to
 * the account.
 */
export const movesVoided = (requests: readonly ConfirmationRequest[], own: string): readonly ConfirmationRequest[] =>
  requests.map((request) => (request.email === own ? request : closed(request)));

const closed = (request: ConfirmationRequest): ConfirmationRequest => ({ ...request, isOpen: false, links: [] });

export const mayAskToConfirm = (requests: readonly ConfirmationRequest[], at: string): boolean =>
  requests.filter(({ askedAt }) => Date.parse(askedAt) > Date.parse(at) - HOUR_MS).length < MAX_AN_HOUR;

export const confirmationExpiry = (at: string): string => new Date(Date.parse(at) + DAY_MS).toISOString();

/** The address an account at `own` has asked to move to, while its link is valid. */
export function pendingEmail(requests: readonly ConfirmationRequest[], own: string, at: string): string | null {
  const last = requests.at(-1);
  return last?.isOpen && last.email !== own && at < confirmationExpiry(last.askedAt) ? last.email : null;
}

/** The request whose link carries the token. @throws DomainError CONFIRMATION_INVALID */
export function openConfirmation(
  requests: readonly ConfirmationRequest[],
  tokenHash: string,
  at: string,
): ConfirmationRequest {
  const open = requests.find(({ links }) => links.some((link) => link.tokenHash === tokenHash && at < link.expiresAt));
  if (!open) throw confirmationInvalid();
  return open;
}

export function confirmationInvalid(): DomainError {
  return new DomainError(
    'CONFIRMATION_INVALID',
    'This link has expired or was already used. You can send a new one from your account page.',
  );
}
