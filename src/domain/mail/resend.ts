/** Which mails that reached nobody can be sent again. */
import type { MailCause, MailDropReason, MailKind } from './events.ts';

/** Of these an operator is told. */
export const MAIL_FAILURES = ['refused', 'too_old', 'given_up'] as const satisfies readonly MailDropReason[];
export type MailFailure = (typeof MAIL_FAILURES)[number];

export const isMailFailure = (outcome: string | null): outcome is MailFailure => (MAIL_FAILURES as readonly (string | null)[]).includes(outcome);

type Ended = { readonly kind: MailKind; readonly outcome: 'sent' | MailDropReason | null; readonly cause: unknown };

/** In a sentence for an operator; null: it can be sent again. */
export function whyNotResent({ kind, outcome, cause }: Ended): string | null {
  if (outcome === 'sent') return 'This email was sent.';
  if (!isMailFailure(outcome)) return 'This email did not fail.';
  if (kind === 'password_reset' || kind === 'email_confirmation') return 'Its link is too old by now. Its reader has to ask for a new one.';
  if (kind === 'sequence') return 'Its sequence went on without it.';
  if (!cause) return 'An earlier version recorded the failure, without what led to the email.';
  return null;
}

/** Of an event or of an item of work; undefined where that does not say where it stands. */
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
