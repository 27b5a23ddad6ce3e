/** Storage format, version with care. Stream: `mail-{mailId}`: what happened to one email, without any of its content. */

export type MailKind =
  | 'password_reset'
  | 'password_changed'
  | 'email_changed'
  | 'email_confirmation'
  | 'job_done'
  | 'webhook_off'
  | 'second_factor'
  | 'receipt'
  | 'payment_failed'
  | 'subscription_ends'
  | 'subscription_ended'
  | 'sequence';

/**
 * `not_wanted`: turned off. `gone`: its subject no longer exists. `refused`: no server accepts email for that address. `nothing_to_tell`: the event
 * leads to no email. `told_together`: covered by another email of the batch. `too_old`: it is a day late. `given_up`: by an operator, or after too many
 * failures. `not_confirmed`: the account's address has not been proven yet.
 */
export type MailDropReason = 'not_wanted' | 'not_confirmed' | 'gone' | 'refused' | 'no_mailer' | 'nothing_to_tell' | 'told_together' | 'too_old' | 'given_up';

/** Where the event that led to an email is stored; `revision` is decimal. */
export type MailCause = { readonly id: string; readonly stream: string; readonly revision: string; readonly type: string };

type MailFacts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind };

export type MailEvent =
  /** Written before sending, and again at each attempt. The token of its one-click link is kept only as SHA-256 (hex). */
  | {
      readonly type: 'MailPrepared';
      /** `attempt` counts the attempts; the sender names it. Earlier versions did not count. */
      readonly data: MailFacts & { readonly attempt?: number; readonly unsubscribeHash: string | null; readonly preparedAt: string };
    }
  | { readonly type: 'MailSent'; readonly data: MailFacts & { readonly attempt?: number; readonly sentAt: string } }
  | {
      readonly type: 'MailDropped';
      /** `cause`: what it can be resent from. Earlier versions did not record it. */
      readonly data: MailFacts & { readonly reason: MailDropReason; readonly cause?: MailCause; readonly droppedAt: string };
    }
  /** Queued to be sent after all. */
  | { readonly type: 'MailRequeued'; readonly data: MailFacts & { readonly cause: MailCause; readonly requeuedAt: string } };
