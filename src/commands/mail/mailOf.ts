/** Which events lead to mails, and the id of each: made of the event's own id, so that whoever looks at the event knows it. */
import type { AccountEvent } from '../../domain/account/events.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import type { JobEvent } from '../../domain/job/events.ts';
import type { MailKind } from '../../domain/mail/events.ts';
import type { SecondFactorEvent } from '../../domain/secondFactor/events.ts';
import type { SequenceEvent } from '../../domain/sequence/events.ts';
import type { WebhooksEvent } from '../../domain/webhooks/events.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { derivedId } from '../derivedId.ts';

export const MAIL_OF_EVENT = {
  PasswordResetAsked: 'password_reset',
  AccountPasswordChanged: 'password_changed',
  AccountEmailChanged: 'email_changed',
  AccountEmailConfirmationAsked: 'email_confirmation',
  JobCompleted: 'job_done',
  JobPartiallyCompleted: 'job_done',
  JobPartiallySucceeded: 'job_done',
  // Of a batch only, when they are its last end.
  JobCancelled: 'job_done',
  JobFailed: 'job_done',
  SecondFactorEnabled: 'second_factor',
  SecondFactorRemoved: 'second_factor',
  WebhookDisabled: 'webhook_off',
  FundsAdded: 'receipt',
  SubscriptionStarted: 'receipt',
  SubscriptionChanged: 'receipt',
  SubscriptionRenewed: 'receipt',
  SubscriptionPaymentFailed: 'payment_failed',
  SubscriptionCancelScheduled: 'subscription_ends',
  SubscriptionEnded: 'subscription_ended',
  // Those of users are a kind of work of their own: what is written to many must not keep one who waits for a link.
  SequenceTestAsked: 'sequence',
} as const satisfies Partial<Record<(AccountEvent | SecondFactorEvent | JobEvent | WebhooksEvent | BillingEvent | SequenceEvent)['type'], MailKind>>;

export function mailKindOf({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): MailKind | null {
  // Who switched it off themselves knows.
  if (type === 'WebhookDisabled' && (data as { readonly reason?: unknown }).reason === 'owner') return null;
  // Nobody is there any more to be told.
  if (type === 'SecondFactorRemoved' && (data as { readonly reason?: unknown }).reason === 'account_deleted') return null;
  // Nothing was paid for it.
  const { paid } = data as { readonly paid?: { readonly amount: number } | null };
  if (paid === null || paid?.amount === 0) return null;
  return Object.hasOwn(MAIL_OF_EVENT, type) ? MAIL_OF_EVENT[type as keyof typeof MAIL_OF_EVENT] : null;
}

/** The mail that an event may lead to; null: none. Its id is the same however often it is asked: it is the Message-ID, and names the mail's stream. */
export function mailOf(event: Pick<RecordedEvent, 'id' | 'type' | 'data'>): { readonly mailId: string; readonly kind: MailKind } | null {
  const kind = mailKindOf(event);
  return kind === null ? null : { mailId: derivedId(event.id, 'mail', kind), kind };
}

export const mailIdOf = (event: Pick<RecordedEvent, 'id' | 'type' | 'data'>): string | null => mailOf(event)?.mailId ?? null;
