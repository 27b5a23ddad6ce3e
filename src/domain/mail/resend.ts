/** Which undelivered emails can be resent. */
import type { MailCause, MailDropReason, MailKind } from './events.ts';

/** Failures that are reported to operators. */
export const MAIL_FAILURES = ['refused', 'too_old', 'given_up'] as const satisfies readonly MailDropReason[];
export type MailFailure = (typeof MAIL_FAILURES)[number];

export const isMailFailure = (outcome: string | null): outcome is MailFailure =>
  (MAIL_FAILURES as readonly (string | null)[]).includes(outcome);

type Ended = { readonly kind: MailKind; readonly outcome: 'sent' | MailDropReason | null; readonly cause: unknown };

/** A sentence for an operator; null if it can be resent. */
export function whyNotResent({ kind, outcome, cause }: Ended): string | null {
  if (outcome === 'sent') return 'This email was sent.';
  if (!isMailFailure(outcome)) return 'This email did not fail.';
  if (kind === 'log_in' || kind === 'password_reset' || kind === 'email_confirmation')
    return 'Its link is too old by now. Its reader has to ask for a new one.';
  if (kind === 'sequence') return 'Its sequence went on without it.';
  if (!cause) return 'An earlier version recorded the failure, without what led to the email.';
  return null;
}

/** The cause, taken from an event or a work item; undefined if that lacks its stream position. */
export function causeOf({
  id,
  stream,
  revision,
  type,
}: {
  readonly id?: string;
  readonly stream?: string;
  readonly revision?: string | bigint;
  readonly type?: string;
}): MailCause | undefined {
  if (id === undefined || stream === undefined || revision === undefined || type === undefined) return undefined;
  return { id, stream, revision: String(revision), type };
}
