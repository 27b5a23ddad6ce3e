/** Stored events of emails, of work that was set aside or retried on request, and of keyed requests. */
import * as z from 'zod';
import type { MailEvent } from '../mail/events.ts';
import type { RequestEvent } from '../request/events.ts';
import type { FollowUpEvent, ParkedEvent, WorkEvent } from '../work/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const mail = {
  mailId: id,
  userId: id,
  kind: z.enum([
    'password_reset',
    'password_changed',
    'email_changed',
    'email_confirmation',
    'job_done',
    'webhook_off',
    'second_factor',
    'receipt',
    'payment_failed',
    'subscription_ends',
    'subscription_ended',
    'sequence',
  ]),
};
const cause = z.strictObject({ id, stream: id, revision: id, type: id });
const OF_MAIL = ['mailId', 'userId'] as const;
/** Earlier versions did not count the attempts. */
const attempt = count.exactOptional();

export const MAIL_TYPES = {
  MailPrepared: stored(z.strictObject({ ...mail, attempt, unsubscribeHash: z.string().nullable(), preparedAt: at }), OF_MAIL, { secret: ['unsubscribeHash'] }),
  MailSent: stored(z.strictObject({ ...mail, attempt, sentAt: at }), OF_MAIL),
  MailDropped: stored(
    z.strictObject({
      ...mail,
      reason: z.enum(['not_wanted', 'not_confirmed', 'gone', 'refused', 'no_mailer', 'nothing_to_tell', 'told_together', 'too_old', 'given_up']),
      cause: cause.exactOptional(),
      droppedAt: at,
    }),
    OF_MAIL,
  ),
  MailRequeued: stored(z.strictObject({ ...mail, cause, requeuedAt: at }), OF_MAIL),
} satisfies StoredTypes<MailEvent>;

export const FOLLOW_UP_TYPES = {
  FollowUpSetAside: stored(
    z.strictObject({ followUpId: id, follower: id, stream: id, revision: id, eventType: z.string(), error: z.string(), setAsideAt: at }),
    ['followUpId', 'follower'],
  ),
  FollowUpDone: stored(z.strictObject({ followUpId: id, doneAt: at }), ['followUpId']),
  FollowUpDropped: stored(z.strictObject({ followUpId: id, reason: z.enum(['dropped', 'gone']), droppedAt: at }), ['followUpId']),
  FollowUpRequeued: stored(z.strictObject({ followUpId: id, follower: id, requeuedAt: at }), ['followUpId', 'follower']),
} satisfies StoredTypes<FollowUpEvent>;

export const WORK_TYPES = {
  WorkRetryAsked: stored(z.strictObject({ kind: id, itemId: id, askedAt: at }), ['kind', 'itemId']),
  GivenUpWorkDropped: stored(z.strictObject({ kind: id, itemId: id, droppedAt: at }), ['kind', 'itemId']),
} satisfies StoredTypes<WorkEvent>;

export const PARKED_TYPES = {
  ParkedRetryAsked: stored(z.strictObject({ model: id, documentId: id, askedAt: at }), ['model', 'documentId']),
} satisfies StoredTypes<ParkedEvent>;

const anObject = z.custom<object>((value) => typeof value === 'object' && value !== null);

/** Requests and responses may contain anything their user was shown. */
export const REQUEST_TYPES = {
  RequestAccepted: stored(z.strictObject({ bodyHash: z.string(), plan: z.unknown(), acceptedAt: at }), [], { secret: ['bodyHash', 'plan'] }),
  RequestAnswered: stored(z.strictObject({ status: z.int(), body: anObject, answeredAt: at }), [], { secret: ['body'] }),
} satisfies StoredTypes<RequestEvent>;
