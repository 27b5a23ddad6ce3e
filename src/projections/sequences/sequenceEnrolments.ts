/** Who was enrolled in which sequence, and the outcome. */
import type { SequenceMailsEvent, SequenceStopReason } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type SequenceEnrolmentDocument = {
  readonly userId: string;
  readonly sequenceId: string;
  readonly status: 'open' | 'finished' | 'stopped';
  readonly reason: SequenceStopReason | null;
  /** The last step sent before it was stopped. */
  readonly stepNumber: number | null;
  readonly enrolledAt: string;
};

type Taken = Extract<
  SequenceMailsEvent,
  { readonly type: 'SequenceEnrolled' | 'SequenceMailSent' | 'SequenceFinished' | 'SequenceStopped' | 'SequenceMailsClosed' }
>;

export const sequenceEnrolments: Projection<SequenceEnrolmentDocument, Taken> = {
  name: 'sequenceEnrolments',
  version: 2,
  indexes: [['userId'], ['sequenceId', 'status'], ['sequenceId', 'reason', 'stepNumber']],
  handles: ['SequenceEnrolled', 'SequenceMailSent', 'SequenceFinished', 'SequenceStopped', 'SequenceMailsClosed'],
  keys: (event) => (event.type === 'SequenceMailsClosed' ? event.data.enrolmentIds : [event.data.enrolmentId]),
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceEnrolled': {
        const { userId, sequenceId, enrolledAt } = event.data;
        return { userId, sequenceId, status: 'open', reason: null, stepNumber: null, enrolledAt };
      }
      case 'SequenceMailSent':
        // The email was in transit when the sequence was stopped.
        return document && { ...document, stepNumber: document.status === 'stopped' ? event.data.stepNumber : document.stepNumber };
      case 'SequenceFinished':
        return document && { ...document, status: 'finished' };
      case 'SequenceStopped':
        return document && { ...document, status: 'stopped', reason: event.data.reason, stepNumber: event.data.stepNumber };
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

/** Number of users who turned such emails off, optionally after a given step (0: before any). */
export function countTurnedOff(readModels: ReadModels, of: { readonly sequenceId: string; readonly stepNumber?: number }): Promise<number> {
  return readModels.count('sequenceEnrolments', { ...of, reason: 'turned_off' });
}
