/** Which mail an event leads to. The one table: who sends mails, lists those that are owed and lets go of events goes by it. */
import type { AccountEvent } from '../domain/account/events.ts';
import type { JobEvent } from '../domain/job/events.ts';
import type { MailKind } from '../domain/mail/events.ts';
import type { WebhooksEvent } from '../domain/webhooks/events.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { derivedId } from './derivedId.ts';

type Told = AccountEvent | JobEvent | WebhooksEvent;

export const MAIL_OF_EVENT = {
  PasswordResetAsked: 'password_reset',
  AccountPasswordChanged: 'password_changed',
  AccountEmailChanged: 'email_changed',
  JobCompleted: 'job_done',
  JobPartiallyCompleted: 'job_done',
  JobPartiallySucceeded: 'job_done',
  // Of a batch only, when they are its last end.
  JobCancelled: 'job_done',
  JobFailed: 'job_done',
  WebhookDisabled: 'webhook_off',
} as const satisfies Partial<Record<Told['type'], MailKind>>;

type MailEventType = keyof typeof MAIL_OF_EVENT;

type Happened = Pick<RecordedEvent, 'id' | 'type' | 'data'>;

export const kindOf = ({ type }: Pick<RecordedEvent, 'type'>): MailKind | undefined => MAIL_OF_EVENT[type as MailEventType];

/** The same however often it is asked: it is the mail's Message-ID, and names its stream. */
export const mailIdOf = (event: Pick<RecordedEvent, 'id' | 'type'>): string => derivedId(event.id, 'mail', kindOf(event) ?? '');

/** The mail that an event may lead to; null: none. */
export function mailOf(event: Happened): { readonly mailId: string; readonly kind: MailKind } | null {
  const kind = kindOf(event);
  // Who switched their webhook off themselves knows.
  if (kind === undefined || (kind === 'webhook_off' && (event.data as { readonly reason?: string }).reason === 'owner')) return null;
  return { mailId: mailIdOf(event), kind };
}
