/** Who was enrolled in which sequence, and the outcome. */
import type { SequenceMailsEvent, SequenceStopReason } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type SequenceEnrolmentDocument = {
  readonly userId: string;
  readonly sequenceId: string;
  readonly status: 'open' | 'finished' | 'stopped';
  readonly reason: SequenceStopReason | null;
  /** The last one sent; null: none. */
  readonly templateId: string | null;
  readonly enrolledAt: string;
};

type Taken = Extract<
  SequenceMailsEvent,
  { readonly type: 'SequenceEnrolled' | 'SequenceMailSent' | 'SequenceFinished' | 'SequenceStopped' | 'SequenceMailsClosed' }
>;

export const sequenceEnrolments: Projection<SequenceEnrolmentDocument, Taken> = {
  name: 'sequenceEnrolments',
  version: 3,
  indexes: [['userId'], ['sequenceId', 'status'], ['sequenceId', 'reason', 'templateId']],
  handles: ['SequenceEnrolled', 'SequenceMailSent', 'SequenceFinished', 'SequenceStopped', 'SequenceMailsClosed'],
  keys: (event) => (event.type === 'SequenceMailsClosed' ? event.data.enrolmentIds : [event.data.enrolmentId]),
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceEnrolled': {
        const { userId, sequenceId, enrolledAt } = event.data;
        return { userId, sequenceId, status: 'open', reason: null, templateId: null, enrolledAt };
      }
      case 'SequenceMailSent':
        // Perhaps after the sequence was stopped: the email was in transit.
        return document && { ...document, templateId: event.data.templateId };
      case 'SequenceFinished':
        return document && { ...document, status: 'finished' };
      case 'SequenceStopped':
        return document && { ...document, status: 'stopped', reason: event.data.reason };
      case 'SequenceMailsClosed':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function countEnrolments(
  readModels: ReadModels,
  where: { readonly sequenceId: string; readonly status?: SequenceEnrolmentDocument['status'] },
): Promise<number> {
  return readModels.count('sequenceEnrolments', where);
}

/** Number of users who turned such emails off, optionally after the email of a given template. */
export function countTurnedOff(readModels: ReadModels, of: { readonly sequenceId: string; readonly templateId?: string }): Promise<number> {
  return readModels.count('sequenceEnrolments', { ...of, reason: 'turned_off' });
}
