/** Storage format, version with care. Stream: `mail-{mailId}`: what became of one mail, without a word of what stands in it. */

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
 * `not_wanted`: turned off. `gone`: what it is about is not there any more. `refused`: no server takes it for that address. `nothing_to_tell`: the event
 * leads to no mail. `told_together`: another mail of the batch tells of it. `too_old`: it is a day late. `given_up`: an operator, or too many failures.
 * `not_confirmed`: nobody has shown yet that the address is the account's.
 */
export type MailDropReason = 'not_wanted' | 'not_confirmed' | 'gone' | 'refused' | 'no_mailer' | 'nothing_to_tell' | 'told_together' | 'too_old' | 'given_up';

/** Where the event stands that led to a mail; `revision` is decimal. */
export type MailCause = { readonly id: string; readonly stream: string; readonly revision: string; readonly type: string };

type MailFacts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind };

export type MailEvent =
  /** Written before it is sent, again at each try. The token of its one-click link is kept only as SHA-256 (hex). */
  | {
      readonly type: 'MailPrepared';
      /** `attempt` counts the tries; whoever sends names it. Earlier versions did not count. */
      readonly data: MailFacts & { readonly attempt?: number; readonly unsubscribeHash: string | null; readonly preparedAt: string };
    }
  | { readonly type: 'MailSent'; readonly data: MailFacts & { readonly attempt?: number; readonly sentAt: string } }
  | {
      readonly type: 'MailDropped';
      /** `cause`: by which it can be sent again. Earlier versions did not say. */
      readonly data: MailFacts & { readonly reason: MailDropReason; readonly cause?: MailCause; readonly droppedAt: string };
    }
  /** It is to be sent after all. */
  | { readonly type: 'MailRequeued'; readonly data: MailFacts & { readonly cause: MailCause; readonly requeuedAt: string } };
