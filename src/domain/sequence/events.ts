/**
 * Storage format, version with care. Streams: `sequence-{sequenceId}`: a series of emails as written by admins;
 * `delivery-{userId}`: which of them one user is due, received, or missed. Neither contains any of the text sent to a
 * reader.
 */
import * as z from 'zod';
import { SEQUENCE_TRIGGERS } from '../../model/sequences.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const sequenceStream = (sequenceId: string): string => `sequence-${sequenceId}`;
export const sequenceMailsStream = (userId: string): string => `delivery-${userId}`;

const template = {
  templateId: id,
  name: z.string(),
  /** A single line. */
  subject: z.string(),
  /** Markdown with placeholders. */
  content: z.string(),
  /** From 1; unique within a sequence. */
  stepNumber: count,
  /** Counted from the due time of the previous step; for the first step, from the trigger. */
  delayDays: count,
  isActive: z.boolean(),
};
const templateSchema = z.strictObject(template);
/** One email of a sequence. */
export type SequenceTemplate = Infer<typeof templateSchema>;

const described = { sequenceId: id, name: z.string(), description: z.string(), trigger: z.enum(SEQUENCE_TRIGGERS) };

export const SEQUENCE_EVENTS = {
  SequenceCreated: z.strictObject({ ...described, createdAt: at }),
  SequenceEdited: z.strictObject({ ...described, editedAt: at }),
  /** From here on, accounts that sign up are enrolled. */
  SequenceActivated: z.strictObject({ sequenceId: id, activatedAt: at }),
  /** Nothing more is sent, not even to enrolled users. */
  SequenceDeactivated: z.strictObject({ sequenceId: id, deactivatedAt: at }),
  SequenceTemplateAdded: z.strictObject({ sequenceId: id, ...template, addedAt: at }),
  SequenceTemplateChanged: z.strictObject({ sequenceId: id, ...template, changedAt: at }),
  SequenceTemplateRemoved: z.strictObject({ sequenceId: id, templateId: id, removedAt: at }),
  /** An admin requested a test email to themselves. */
  SequenceTestAsked: z.strictObject({ sequenceId: id, templateId: id, userId: id, askedAt: at }),
  SequenceDeleted: z.strictObject({ sequenceId: id, templateIds: z.array(id), deletedAt: at }),
};
export type SequenceEvent = EventIn<typeof SEQUENCE_EVENTS>;

/**
 * `refused`: no server accepts email for that address. `too_old`: it is days late. `given_up`: by an operator, or after
 * too many failures.
 */
const mailFailure = z.enum(['refused', 'no_mailer', 'too_old', 'given_up']);
export type SequenceMailFailure = Infer<typeof mailFailure>;

/**
 * `turned_off`: by the user. `not_confirmed`: the account's address has not been proven. `disabled`: the account was
 * disabled by an admin. `bounced`: no server accepts email for it. `sequence_off`: turned off or deleted by an admin.
 * `came_back`, `subscribed`: the reason for the sequence no longer applies.
 */
const stopReason = z.enum([
  'turned_off',
  'not_confirmed',
  'disabled',
  'bounced',
  'sequence_off',
  'came_back',
  'subscribed',
  'account_deleted',
]);
export type SequenceStopReason = Infer<typeof stopReason>;

const enrolment = { userId: id, sequenceId: id, enrolmentId: id };
/** `mailId` names the email's own stream, and is its Message-ID at every attempt. */
const step = { ...enrolment, mailId: id, templateId: id, stepNumber: count };

export const SEQUENCE_MAILS_EVENTS = {
  /** `triggeredAt`: the start of its delays. Once per user and sequence. */
  SequenceEnrolled: z.strictObject({
    ...enrolment,
    trigger: z.enum(SEQUENCE_TRIGGERS),
    triggeredAt: at,
    enrolledAt: at,
  }),
  SequenceMailScheduled: z.strictObject({ ...step, dueAt: at, scheduledAt: at }),
  /**
   * The user already had a sequence email that day, or has been active meanwhile. The delays of later steps count from
   * `plannedAt`.
   */
  SequenceMailPutOff: z.strictObject({ ...step, dueAt: at, plannedAt: at, putOffAt: at }),
  /**
   * An attempt starts on this day (UTC, `2026-03-10`), which no other sequence email has for this user. Once per day
   * and email.
   */
  SequenceMailStarted: z.strictObject({ ...step, day: z.iso.date(), startedAt: at }),
  SequenceMailSent: z.strictObject({ ...step, sentAt: at }),
  SequenceMailFailed: z.strictObject({ ...step, reason: mailFailure, failedAt: at }),
  /** Its template has been turned off or removed; or it was queued again, and is no longer wanted. */
  SequenceMailSkipped: z.strictObject({ ...step, skippedAt: at }),
  /**
   * After it was given up, an operator had it sent after all, under the same `mailId`. Its sequence goes on regardless.
   */
  SequenceMailRequeued: z.strictObject({ ...step, requeuedAt: at }),
  /** No steps are left. */
  SequenceFinished: z.strictObject({ ...enrolment, finishedAt: at }),
  SequenceStopped: z.strictObject({
    ...enrolment,
    reason: stopReason,
    /** The pending email, which is no longer sent. */
    mailId: id.nullable(),
    /** The last step sent; 0 if none. */
    stepNumber: count,
    stoppedAt: at,
  }),
  /** The account is gone: its data is no longer shown, and no events follow. */
  SequenceMailsClosed: z.strictObject({ userId: id, enrolmentIds: z.array(id), mailIds: z.array(id), closedAt: at }),
};
export type SequenceMailsEvent = EventIn<typeof SEQUENCE_MAILS_EVENTS>;
