/** Outcome of each sequence email: for the sequence's figures, and for showing it to its recipient. */
import type { SequenceMailsEvent } from '../../domain/sequence/events.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export const SEQUENCE_MAIL_STATUSES = ['waiting', 'sent', 'failed', 'skipped', 'stopped'] as const;
export type SequenceMailStatus = (typeof SEQUENCE_MAIL_STATUSES)[number];

export type SequenceMailDocument = {
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

type Taken = Exclude<SequenceMailsEvent, { readonly type: 'SequenceEnrolled' | 'SequenceMailStarted' | 'SequenceFinished' }>;

export const sequenceMails: Projection<SequenceMailDocument, Taken> = {
  name: 'sequenceMails',
  version: 2,
  indexes: [['userId'], ['sequenceId', 'templateId', 'status']],
  handles: [
    'SequenceMailScheduled',
    'SequenceMailPutOff',
    'SequenceMailSent',
    'SequenceMailFailed',
    'SequenceMailSkipped',
    'SequenceMailRequeued',
    'SequenceStopped',
    'SequenceMailsClosed',
  ],
  keys: (event) => {
    if (event.type === 'SequenceMailsClosed') return event.data.mailIds;
    return event.data.mailId === null ? [] : [event.data.mailId];
  },
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceMailScheduled': {
        const { mailId, userId, sequenceId, templateId, stepNumber, dueAt } = event.data;
        return { mailId, userId, sequenceId, templateId, stepNumber, status: 'waiting', dueAt, settledAt: null };
      }
      case 'SequenceMailPutOff':
        return document && { ...document, dueAt: event.data.dueAt };
      case 'SequenceMailSent':
        return document && { ...document, status: 'sent', settledAt: event.data.sentAt };
      case 'SequenceMailFailed':
        return document && { ...document, status: 'failed', settledAt: event.data.failedAt };
      case 'SequenceMailSkipped':
        return document && { ...document, status: 'skipped', settledAt: event.data.skippedAt };
      case 'SequenceMailRequeued':
        return document && { ...document, status: 'waiting', dueAt: event.data.requeuedAt, settledAt: null };
      case 'SequenceStopped':
        return document && { ...document, status: 'stopped', settledAt: event.data.stoppedAt };
      case 'SequenceMailsClosed':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function countSequenceMails(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly templateId: string; readonly status: SequenceMailStatus },
): Promise<number> {
  return readModels.count('sequenceMails', of);
}
