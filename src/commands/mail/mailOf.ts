/**
 * Which events lead to emails, and each email's id: derived from the event's id, so that it can be computed from the
 * event alone.
 */
import type { AccountEvent } from '../../domain/account/events.ts';
import type { BillingEvent } from '../../domain/billing/events.ts';
import type { JobEvent } from '../../domain/job/events.ts';
import type { LogInEvent } from '../../domain/logIn/events.ts';
import type { MailKind } from '../../domain/mail/events.ts';
import type { SecondFactorEvent } from '../../domain/secondFactor/events.ts';
import type { SequenceEvent } from '../../domain/sequence/events.ts';
import type { WebhooksEvent } from '../../domain/webhooks/events.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { derivedId } from '../derivedId.ts';

export const MAIL_OF_EVENT = {
  LogInMailAsked: 'log_in',
  PasskeyAdded: 'way_in',
  PasskeyRemoved: 'way_in',
  IdentityLinked: 'way_in',
  IdentityUnlinked: 'way_in',
  PasswordResetAsked: 'password_reset',
  AccountPasswordChanged: 'password_changed',
  AccountEmailChanged: 'email_changed',
  AccountEmailConfirmationAsked: 'email_confirmation',
  JobCompleted: 'job_done',
  JobPartiallyCompleted: 'job_done',
  JobPartiallySucceeded: 'job_done',
  // In a batch, only if they are its last jobs to end.
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
  // Sequence emails to users are a separate kind of work: bulk email must not delay a user waiting for a link.
  SequenceTestAsked: 'sequence',
} as const satisfies Partial<
  Record<
    (AccountEvent | SecondFactorEvent | LogInEvent | JobEvent | WebhooksEvent | BillingEvent | SequenceEvent)['type'],
    MailKind
  >
>;

export function mailKindOf({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): MailKind | null {
  // The owner turned it off and already knows.
  if (type === 'WebhookDisabled' && (data as { readonly reason?: unknown }).reason === 'owner') return null;
  // No one is left to notify.
  if (type === 'SecondFactorRemoved' && (data as { readonly reason?: unknown }).reason === 'account_deleted')
    return null;
  // No payment was made.
  const { paid } = data as { readonly paid?: { readonly amount: number } | null };
  if (paid === null || paid?.amount === 0) return null;
  return Object.hasOwn(MAIL_OF_EVENT, type) ? MAIL_OF_EVENT[type as keyof typeof MAIL_OF_EVENT] : null;
}

/**
 * The email an event may lead to; null if none. Its id is deterministic: it is the Message-ID, and names the email's
 * stream.
 */
export function mailOf(
  event: Pick<RecordedEvent, 'id' | 'type' | 'data'>,
): { readonly mailId: string; readonly kind: MailKind } | null {
  const kind = mailKindOf(event);
  return kind === null ? null : { mailId: derivedId(event.id, 'mail', kind), kind };
}

export const mailIdOf = (event: Pick<RecordedEvent, 'id' | 'type' | 'data'>): string | null =>
  mailOf(event)?.mailId ?? null;
