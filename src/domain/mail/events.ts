/** Storage format, version with care. Stream: `mail-{mailId}`: what became of one mail, without a word of what stands in it. */

export type MailKind = 'password_reset' | 'password_changed' | 'email_changed' | 'job_done' | 'webhook_off';

/** `not_wanted`: turned off. `gone`: what it is about is not there any more. `refused`: no server takes it for that address. */
export type MailDropReason = 'not_wanted' | 'gone' | 'refused' | 'no_mailer';

type MailFacts = { readonly mailId: string; readonly userId: string; readonly kind: MailKind };

export type MailEvent =
  /** Written before it is sent, again at each try. The token of its one-click link is kept only as SHA-256 (hex). */
  | { readonly type: 'MailPrepared'; readonly data: MailFacts & { readonly unsubscribeHash: string | null; readonly preparedAt: string } }
  | { readonly type: 'MailSent'; readonly data: MailFacts & { readonly sentAt: string } }
  | { readonly type: 'MailDropped'; readonly data: MailFacts & { readonly reason: MailDropReason; readonly droppedAt: string } };
