/** Who was enrolled in which sequence, and the outcome. */
import type { SequenceStopReason } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

export type SequenceEnrolmentDocument = {
  readonly userId: string;
  readonly sequenceId: string;
  readonly status: 'open' | 'finished' | 'stopped';
  readonly reason: SequenceStopReason | null;
  /** The last one sent; null: none. */
  readonly templateId: string | null;
  readonly enrolledAt: string;
};

export const sequenceEnrolments = projection<SequenceEnrolmentDocument>()({
  name: 'sequenceEnrolments',
  version: 3,
  indexes: [['userId'], ['sequenceId', 'status'], ['sequenceId', 'reason', 'templateId']],
  keys: (event) => (event.type === 'SequenceMailsClosed' ? event.data.enrolmentIds : [event.data.enrolmentId]),
  on: {
    SequenceEnrolled: (_, { data: { userId, sequenceId, enrolledAt } }) => ({
      userId,
      sequenceId,
      status: 'open',
      reason: null,
      templateId: null,
      enrolledAt,
    }),
    // Perhaps after the sequence was stopped: the email was in transit.
    SequenceMailSent: (document, { data }) => document && { ...document, templateId: data.templateId },
    SequenceFinished: (document) => document && { ...document, status: 'finished' },
    SequenceStopped: (document, { data }) => document && { ...document, status: 'stopped', reason: data.reason },
    SequenceMailsClosed: () => null,
  },
});

export function countEnrolments(
  readModels: ReadModels,
  where: { readonly sequenceId: string; readonly status?: SequenceEnrolmentDocument['status'] },
): Promise<number> {
  return readModels.count('sequenceEnrolments', where);
}

/** Number of users who turned such emails off, optionally after the email of a given template. */
export function countTurnedOff(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly templateId?: string },
): Promise<number> {
  return readModels.count('sequenceEnrolments', { ...of, reason: 'turned_off' });
}
