/** Stored events of email sequences and their delivery to each user. */
import * as z from 'zod';
import { SEQUENCE_TRIGGERS } from '../../model/sequences.ts';
import type { SequenceEvent, SequenceMailsEvent } from '../sequence/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const described = { sequenceId: id, name: z.string(), description: z.string(), trigger: z.enum(SEQUENCE_TRIGGERS) };
const template = {
  sequenceId: id,
  templateId: id,
  name: z.string(),
  subject: z.string(),
  content: z.string(),
  stepNumber: count,
  delayDays: count,
  isActive: z.boolean(),
};
const OF_TEMPLATE = ['sequenceId', 'templateId'] as const;

export const SEQUENCE_TYPES = {
  SequenceCreated: stored(z.strictObject({ ...described, createdAt: at }), ['sequenceId']),
  SequenceEdited: stored(z.strictObject({ ...described, editedAt: at }), ['sequenceId']),
  SequenceActivated: stored(z.strictObject({ sequenceId: id, activatedAt: at }), ['sequenceId']),
  SequenceDeactivated: stored(z.strictObject({ sequenceId: id, deactivatedAt: at }), ['sequenceId']),
  SequenceTemplateAdded: stored(z.strictObject({ ...template, addedAt: at }), OF_TEMPLATE),
  SequenceTemplateChanged: stored(z.strictObject({ ...template, changedAt: at }), OF_TEMPLATE),
  SequenceTemplateRemoved: stored(z.strictObject({ sequenceId: id, templateId: id, removedAt: at }), OF_TEMPLATE),
  SequenceTestAsked: stored(z.strictObject({ sequenceId: id, templateId: id, userId: id, askedAt: at }), ['sequenceId', 'templateId', 'userId']),
  SequenceDeleted: stored(z.strictObject({ sequenceId: id, templateIds: z.array(id).readonly(), deletedAt: at }), ['sequenceId']),
} satisfies StoredTypes<SequenceEvent>;

const enrolment = { userId: id, sequenceId: id, enrolmentId: id };
const step = { ...enrolment, mailId: id, templateId: id, stepNumber: count };
const OF_ENROLMENT = ['userId', 'sequenceId', 'enrolmentId'] as const;
const OF_STEP = [...OF_ENROLMENT, 'mailId'] as const;

export const SEQUENCE_MAILS_TYPES = {
  SequenceEnrolled: stored(z.strictObject({ ...enrolment, trigger: z.enum(SEQUENCE_TRIGGERS), triggeredAt: at, enrolledAt: at }), OF_ENROLMENT),
  SequenceMailScheduled: stored(z.strictObject({ ...step, dueAt: at, scheduledAt: at }), OF_STEP),
  SequenceMailPutOff: stored(z.strictObject({ ...step, dueAt: at, plannedAt: at, putOffAt: at }), OF_STEP),
  SequenceMailStarted: stored(z.strictObject({ ...step, day: z.iso.date(), startedAt: at }), OF_STEP),
  SequenceMailSent: stored(z.strictObject({ ...step, sentAt: at }), OF_STEP),
  SequenceMailFailed: stored(z.strictObject({ ...step, reason: z.enum(['refused', 'no_mailer', 'too_old', 'given_up']), failedAt: at }), OF_STEP),
  SequenceMailSkipped: stored(z.strictObject({ ...step, skippedAt: at }), OF_STEP),
  SequenceMailRequeued: stored(z.strictObject({ ...step, requeuedAt: at }), OF_STEP),
  SequenceFinished: stored(z.strictObject({ ...enrolment, finishedAt: at }), OF_ENROLMENT),
  SequenceStopped: stored(
    z.strictObject({
      ...enrolment,
      reason: z.enum(['turned_off', 'not_confirmed', 'disabled', 'bounced', 'sequence_off', 'came_back', 'subscribed', 'account_deleted']),
      mailId: id.nullable(),
      stepNumber: count,
      stoppedAt: at,
    }),
    OF_ENROLMENT,
  ),
  SequenceMailsClosed: stored(z.strictObject({ userId: id, enrolmentIds: z.array(id).readonly(), mailIds: z.array(id).readonly(), closedAt: at }), ['userId']),
} satisfies StoredTypes<SequenceMailsEvent>;
