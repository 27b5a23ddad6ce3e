/**
 * The users that sequences write to: what they were sent, and what decides whether they are. Three kinds of documents,
 * since all three belong to a user, are small, and are counted or listed by few fields:
 * - `mail`: the outcome of each sequence email, for the sequence's figures, and for showing it to its recipient
 * - `enrolment`: who was enrolled in which sequence, and the outcome
 * - `user`: when each user was last active: logged in, had a token refreshed, submitted an audit, worked on an item or
 *   had it verified. An admin's acts are not theirs.
 */
import type { SequenceStopReason } from '../../domain/sequence/events.ts';
import { type EventOf, isOf } from '../../domain/stored/eventOf.ts';
import { userOf } from '../../domain/stored/metadata.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';

export const SEQUENCE_MAIL_STATUSES = ['waiting', 'sent', 'failed', 'skipped', 'stopped'] as const;
export type SequenceMailStatus = (typeof SEQUENCE_MAIL_STATUSES)[number];

export type SequenceMailDocument = {
  readonly kind: 'mail';
  readonly mailId: string;
  readonly userId: string;
  readonly sequenceId: string;
  readonly templateId: string;
  /** Of its template when it was scheduled. */
  readonly stepNumber: number;
  readonly status: SequenceMailStatus;
  readonly dueAt: string;
  readonly settledAt: string | null;
};

type EnrolmentDocument = {
  readonly kind: 'enrolment';
  readonly userId: string;
  readonly sequenceId: string;
  readonly status: 'open' | 'finished' | 'stopped';
  readonly reason: SequenceStopReason | null;
  /** The last one sent; null: none. */
  readonly templateId: string | null;
  readonly enrolledAt: string;
};

type UserDocument = { readonly kind: 'user'; readonly userId: string; readonly lastActiveAt: string };

export type SequenceRecipientDocument = SequenceMailDocument | EnrolmentDocument | UserDocument;

const mailKey = (mailId: string): string => `mail/${mailId}`;
const enrolmentKey = (enrolmentId: string): string => `enrolment/${enrolmentId}`;
const userKey = (userId: string): string => `user/${userId}`;

/**
 * Events that name their user. A verification counts when it is requested: `ActionVerified` follows within seconds, is
 * a worker's, and names nobody.
 */
const NAMED = ['SessionStarted', 'SessionRefreshed', 'JobSubmitted', 'VerificationAsked'] as const;
/**
 * Events whose actor is the user, if it was one. Deletions are included because they outlast everything erased with
 * them, so that a rebuilt list is the same. In a bulk deletion, a follower deletes each job.
 */
const DONE = [
  'ActionStarted',
  'ActionCompleted',
  'ActionReopened',
  'ActionSetBack',
  'ActionMoveUndone',
  'ActionNoted',
  'ActionRated',
  'JobDeleted',
  'JobsDeleted',
] as const;
const OF_USERS = [...NAMED, ...DONE, 'AccountRegistered', 'AccountDeleted', 'EmailRefused'] as const;

type OfSequence = EventOf<
  | 'SequenceEnrolled'
  | 'SequenceFinished'
  | 'SequenceStopped'
  | 'SequenceMailScheduled'
  | 'SequenceMailPutOff'
  | 'SequenceMailSent'
  | 'SequenceMailFailed'
  | 'SequenceMailSkipped'
  | 'SequenceMailRequeued'
  | 'SequenceMailsClosed'
>;

export const sequenceRecipients = projection<SequenceRecipientDocument>()({
  name: 'sequenceRecipients',
  version: 1,
  // A mail and an enrolment have fields of the same names.
  indexes: [
    ['kind', 'userId'],
    ['kind', 'sequenceId', 'status', 'templateId'],
    ['kind', 'sequenceId', 'reason', 'templateId'],
    ['lastActiveAt'],
  ],
  keys: (event) => {
    if (!isOf(event, ...OF_USERS)) return keysOf(event);
    const userId = isOf(event, ...DONE) ? userOf(event.metadata.actor) : event.data.userId;
    return userId === null ? [] : [userKey(userId)];
  },
  on: {
    SequenceEnrolled: (_, { data: { userId, sequenceId, enrolledAt } }) => ({
      kind: 'enrolment',
      userId,
      sequenceId,
      status: 'open',
      reason: null,
      templateId: null,
      enrolledAt,
    }),
    SequenceFinished: (document) => changed(document, { enrolment: { status: 'finished' } }),
    SequenceMailScheduled: (_, { data: { mailId, userId, sequenceId, templateId, stepNumber, dueAt } }) => ({
      kind: 'mail',
      mailId,
      userId,
      sequenceId,
      templateId,
      stepNumber,
      status: 'waiting',
      dueAt,
      settledAt: null,
    }),
    SequenceMailPutOff: (document, { data }) => changed(document, { mail: { dueAt: data.dueAt } }),
    // Perhaps after the sequence was stopped: the email was in transit.
    SequenceMailSent: (document, { data }) =>
      changed(document, {
        mail: { status: 'sent', settledAt: data.sentAt },
        enrolment: { templateId: data.templateId },
      }),
    SequenceMailFailed: (document, { data }) =>
      changed(document, { mail: { status: 'failed', settledAt: data.failedAt } }),
    SequenceMailSkipped: (document, { data }) =>
      changed(document, { mail: { status: 'skipped', settledAt: data.skippedAt } }),
    SequenceMailRequeued: (document, { data }) =>
      changed(document, { mail: { status: 'waiting', dueAt: data.requeuedAt, settledAt: null } }),
    SequenceStopped: (document, { data }) =>
      changed(document, {
        mail: { status: 'stopped', settledAt: data.stoppedAt },
        enrolment: { status: 'stopped', reason: data.reason },
      }),
    SequenceMailsClosed: () => null,
    AccountRegistered: (_, { data: { userId, registeredAt } }) => ({
      kind: 'user',
      userId,
      lastActiveAt: registeredAt,
    }),
    AccountDeleted: () => null,
    // A refused address means that the sign-up was abandoned, and the account's own stream is deleted.
    EmailRefused: () => null,
    ...each([...NAMED, ...DONE], (document: SequenceRecipientDocument | null, { metadata: { at, actor } }) => {
      if (actor.kind === 'admin') return document;
      return document?.kind === 'user' && at > document.lastActiveAt ? { ...document, lastActiveAt: at } : document;
    }),
  },
});

function keysOf(event: OfSequence): readonly string[] {
  switch (event.type) {
    case 'SequenceEnrolled':
    case 'SequenceFinished':
      return [enrolmentKey(event.data.enrolmentId)];
    case 'SequenceMailSent':
      return [mailKey(event.data.mailId), enrolmentKey(event.data.enrolmentId)];
    case 'SequenceStopped': {
      const { mailId, enrolmentId } = event.data;
      return [...(mailId === null ? [] : [mailKey(mailId)]), enrolmentKey(enrolmentId)];
    }
    case 'SequenceMailsClosed':
      return [...event.data.mailIds.map(mailKey), ...event.data.enrolmentIds.map(enrolmentKey)];
    default:
      return [mailKey(event.data.mailId)];
  }
}

function changed(
  document: SequenceRecipientDocument | null,
  to: { readonly mail?: Partial<SequenceMailDocument>; readonly enrolment?: Partial<EnrolmentDocument> },
): SequenceRecipientDocument | null {
  if (document?.kind === 'mail') return { ...document, ...to.mail };
  if (document?.kind === 'enrolment') return { ...document, ...to.enrolment };
  return document;
}

export function countSequenceMails(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly templateId: string; readonly status: SequenceMailStatus },
): Promise<number> {
  return readModels.count('sequenceRecipients', { kind: 'mail', ...of });
}

export function countEnrolments(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly status: EnrolmentDocument['status'] },
): Promise<number> {
  return readModels.count('sequenceRecipients', { kind: 'enrolment', ...of });
}

/** Number of users who turned such emails off, optionally after the email of a given template. */
export function countTurnedOff(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly templateId?: string },
): Promise<number> {
  return readModels.count('sequenceRecipients', { kind: 'enrolment', ...of, reason: 'turned_off' });
}

export async function lastActiveAt(readModels: ReadModels, userId: string): Promise<string | null> {
  const user = await readModels.get<UserDocument>('sequenceRecipients', userKey(userId));
  return user?.data.lastActiveAt ?? null;
}

/** Users whose last activity lies between these times, in order of activity. */
export function listQuiet(
  readModels: ReadModels,
  {
    after,
    upTo,
    limit,
    cursor,
  }: { readonly after: string; readonly upTo: string; readonly limit: number; readonly cursor?: string },
): Promise<Page<UserDocument>> {
  return readModels.find<UserDocument>('sequenceRecipients', {
    where: { lastActiveAt: { gt: after, lte: upTo } },
    sort: [['lastActiveAt', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}
