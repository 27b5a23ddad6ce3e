/**
 * Storage format, version with care. Stream: `mail-{mailId}`: what happened to one email, without any of its content.
 */
import * as z from 'zod';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const mailStream = (mailId: string): string => `mail-${mailId}`;

const mailKind = z.enum([
  'log_in',
  'password_reset',
  'password_changed',
  'email_changed',
  'email_confirmation',
  'job_done',
  'webhook_off',
  'second_factor',
  'way_in',
  'receipt',
  'payment_failed',
  'subscription_ends',
  'subscription_ended',
  'sequence',
]);
export type MailKind = Infer<typeof mailKind>;

/**
 * `not_wanted`: turned off. `gone`: its subject no longer exists. `refused`: no server accepts email for that address.
 * `nothing_to_tell`: the event leads to no email. `told_together`: covered by another email of the batch. `too_old`: it
 * is a day late. `given_up`: by an operator, or after too many failures. `not_confirmed`: the account's address has not
 * been proven yet.
 */
const mailDropReason = z.enum([
  'not_wanted',
  'not_confirmed',
  'gone',
  'refused',
  'no_mailer',
  'nothing_to_tell',
  'told_together',
  'too_old',
  'given_up',
]);
export type MailDropReason = Infer<typeof mailDropReason>;

/** Where the event that led to an email is stored; `revision` is decimal. */
const mailCause = z.strictObject({ id, stream: id, revision: id, type: id });
export type MailCause = Infer<typeof mailCause>;

const ofMail = { mailId: id, userId: id, kind: mailKind };
/** Counts the attempts; the sender names it. Earlier versions did not count. */
const attempt = count.exactOptional();

export const MAIL_EVENTS = {
  /**
   * Written before sending, and again at each attempt. The token of its one-click link is kept only as SHA-256 (hex).
   */
  MailPrepared: z.strictObject({ ...ofMail, attempt, unsubscribeHash: z.string().nullable(), preparedAt: at }),
  MailSent: z.strictObject({ ...ofMail, attempt, sentAt: at }),
  /** `cause`: what it can be resent from. Earlier versions did not record it. */
  MailDropped: z.strictObject({ ...ofMail, reason: mailDropReason, cause: mailCause.exactOptional(), droppedAt: at }),
  /** Queued to be sent after all. */
  MailRequeued: z.strictObject({ ...ofMail, cause: mailCause, requeuedAt: at }),
};
export type MailEvent = EventIn<typeof MAIL_EVENTS>;
