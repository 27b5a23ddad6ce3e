/** Mails that ask to confirm an address: how many, how long their links are good, and what ends them. */
import { DomainError } from '../decider.ts';

export type ConfirmationRequest = {
  readonly requestId: string;
  /** The account's own address, or the one that it wants to move to. */
  readonly email: string;
  readonly askedAt: string;
  /** False once the link was used, or another wish has taken its place. */
  readonly isOpen: boolean;
  /** One for each time that the mail may have left. */
  readonly links: readonly { readonly tokenHash: string; readonly expiresAt: string }[];
};

/** Mails with a link that one account causes in an hour at most. */
const MAX_AN_HOUR = 5;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

type Asked = { readonly requestId: string; readonly email: string; readonly askedAt: string };

/** Links to the same address stay good, as either mail may be the one that is read, and so do those to the account's own. Another wish takes the place of the last one. */
export function confirmationAsked(requests: readonly ConfirmationRequest[], { requestId, email, askedAt }: Asked, own: string): readonly ConfirmationRequest[] {
  const earlier = requests.map((request) => (request.email === email || request.email === own ? request : closed(request)));
  return [...earlier, { requestId, email, askedAt, isOpen: true, links: [] }].slice(-MAX_AN_HOUR);
}

type Issued = { readonly requestId: string; readonly tokenHash: string; readonly expiresAt: string };

export function confirmationIssued(requests: readonly ConfirmationRequest[], { requestId, tokenHash, expiresAt }: Issued): readonly ConfirmationRequest[] {
  return requests.map((request) => (request.requestId === requestId ? { ...request, links: [...request.links, { tokenHash, expiresAt }] } : request));
}

/** No link to that address opens anything any more; how many were asked for still counts. */
export const confirmationEnded = (requests: readonly ConfirmationRequest[], email: string): readonly ConfirmationRequest[] =>
  requests.map((request) => (request.email === email ? closed(request) : request));

const closed = (request: ConfirmationRequest): ConfirmationRequest => ({ ...request, isOpen: false, links: [] });

export const mayAskToConfirm = (requests: readonly ConfirmationRequest[], at: string): boolean =>
  requests.filter(({ askedAt }) => Date.parse(askedAt) > Date.parse(at) - HOUR_MS).length < MAX_AN_HOUR;

export const confirmationExpiry = (at: string): string => new Date(Date.parse(at) + DAY_MS).toISOString();

/** The address that an account of the address `own` has asked to move to, for as long as its link is good. */
export function pendingEmail(requests: readonly ConfirmationRequest[], own: string, at: string): string | null {
  const last = requests.at(-1);
  return last?.isOpen && last.email !== own && at < confirmationExpiry(last.askedAt) ? last.email : null;
}

/** The request whose link carries the token. @throws DomainError CONFIRMATION_INVALID */
export function openConfirmation(requests: readonly ConfirmationRequest[], tokenHash: string, at: string): ConfirmationRequest {
  const open = requests.find(({ links }) => links.some((link) => link.tokenHash === tokenHash && at < link.expiresAt));
  if (!open) throw confirmationInvalid();
  return open;
}

export function confirmationInvalid(): DomainError {
  return new DomainError('CONFIRMATION_INVALID', 'This link has expired or was already used. You can send a new one from your account page.');
}
