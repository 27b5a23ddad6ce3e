/** Outcome of each sequence email: for the sequence's figures, and for showing it to its recipient. */
import type { ReadModels } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

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

export const sequenceMails = projection<SequenceMailDocument>()({
  name: 'sequenceMails',
  version: 2,
  indexes: [['userId'], ['sequenceId', 'templateId', 'status']],
  keys: (event) => {
    if (event.type === 'SequenceMailsClosed') return event.data.mailIds;
    return event.data.mailId === null ? [] : [event.data.mailId];
  },
  on: {
    SequenceMailScheduled: (_, { data: { mailId, userId, sequenceId, templateId, stepNumber, dueAt } }) => ({
      mailId,
      userId,
      sequenceId,
      templateId,
      stepNumber,
      status: 'waiting',
      dueAt,
      settledAt: null,
    }),
    SequenceMailPutOff: (mail, { data }) => mail && { ...mail, dueAt: data.dueAt },
    SequenceMailSent: (mail, { data }) => mail && { ...mail, status: 'sent', settledAt: data.sentAt },
    SequenceMailFailed: (mail, { data }) => mail && { ...mail, status: 'failed', settledAt: data.failedAt },
    SequenceMailSkipped: (mail, { data }) => mail && { ...mail, status: 'skipped', settledAt: data.skippedAt },
    SequenceMailRequeued: (mail, { data }) =>
      mail && { ...mail, status: 'waiting', dueAt: data.requeuedAt, settledAt: null },
    SequenceStopped: (mail, { data }) => mail && { ...mail, status: 'stopped', settledAt: data.stoppedAt },
    SequenceMailsClosed: () => null,
  },
});

export function countSequenceMails(
  readModels: ReadModels,
  of: { readonly sequenceId: string; readonly templateId: string; readonly status: SequenceMailStatus },
): Promise<number> {
  return readModels.count('sequenceMails', of);
}
