import { describe, expect, it } from 'vitest';
import type { MailDropReason, MailEvent } from '../../../src/domain/mail/events.ts';
import type { SequenceMailsEvent } from '../../../src/domain/sequence/events.ts';
import { userMails } from '../../../src/projections/mails/userMails.ts';
import { project } from '../../given/stores/projection.ts';

const at = '2026-03-01T00:00:09.000Z';
const of = (mailId: string) => ({ mailId, userId: 'ann', kind: 'job_done' as const });
type Taken = Parameters<typeof userMails.evolve>[1];
const registered = {
  type: 'AccountRegistered',
  data: { userId: 'ann', email: 'ann@example.com', name: 'Ann', passwordHash: 'x', registeredAt: at },
} as const;
const deleted = { type: 'AccountDeleted', data: { userId: 'ann', deletedAt: at } } as const;
const prepared = (mailId: string): MailEvent => ({
  type: 'MailPrepared',
  data: { ...of(mailId), attempt: 1, unsubscribeHash: 'h', preparedAt: at },
});
const sent = (mailId: string): MailEvent => ({ type: 'MailSent', data: { ...of(mailId), attempt: 1, sentAt: at } });
const dropped = (mailId: string, reason: MailDropReason): MailEvent => ({
  type: 'MailDropped',
  data: { ...of(mailId), reason, droppedAt: at },
});
const requeued = (mailId: string): MailEvent => ({
  type: 'MailRequeued',
  data: { ...of(mailId), cause: { id: 'e', stream: 's', revision: '0', type: 'JobCompleted' }, requeuedAt: at },
});
const step = (mailId: string) => ({
  userId: 'ann',
  sequenceId: 's',
  enrolmentId: 'e',
  mailId,
  templateId: 't',
  stepNumber: 1,
});
const failed = (mailId: string): SequenceMailsEvent => ({
  type: 'SequenceMailFailed',
  data: { ...step(mailId), reason: 'given_up', failedAt: at },
});
const skipped = (mailId: string): SequenceMailsEvent => ({
  type: 'SequenceMailSkipped',
  data: { ...step(mailId), skippedAt: at },
});
const stopped = (mailId: string | null): SequenceMailsEvent => ({
  type: 'SequenceStopped',
  data: {
    userId: 'ann',
    sequenceId: 's',
    enrolmentId: 'e',
    reason: 'turned_off',
    mailId,
    stepNumber: 0,
    stoppedAt: at,
  },
});
type Given = readonly (MailEvent | SequenceMailsEvent | typeof registered | typeof deleted)[];
const folded = (...events: Given) => project(userMails, ...(events as unknown as readonly Taken[])).ann;
const outcomes = (...events: Given) => folded(...events)?.mails.map(({ id, outcome }) => `${id} ${outcome}`);

describe('the emails of a user', () => {
  it('have their outcome, in the order in which they began', () => {
    expect(outcomes(registered, prepared('a'), prepared('b'), sent('b'), dropped('a', 'refused'))).toEqual([
      'a refused',
      'b sent',
    ]);
    expect(outcomes(registered, dropped('a', 'given_up'), requeued('a'))).toEqual(['a sending']);
    expect(folded(registered, sent('a'))?.mails).toEqual([{ id: 'a', kind: 'job_done', outcome: 'sent', at }]);
  });
  it('exclude those that never existed', () => {
    expect(
      outcomes(registered, dropped('a', 'nothing_to_tell'), dropped('b', 'told_together'), dropped('c', 'not_wanted')),
    ).toEqual(['c not_wanted']);
  });
  it('of sequences are no longer pending once they are given up, skipped or stopped', () => {
    expect(
      outcomes(
        registered,
        prepared('a'),
        prepared('b'),
        prepared('c'),
        failed('a'),
        skipped('b'),
        stopped('c'),
        stopped(null),
      ),
    ).toEqual(['a given_up', 'b gone', 'c not_wanted']);
    expect(outcomes(registered, failed('never tried'))).toEqual([]);
    // It was being sent at that moment, or its own stream has newer events.
    expect(outcomes(registered, prepared('a'), stopped('a'), sent('a'), dropped('b', 'refused'), failed('b'))).toEqual([
      'a sent',
      'b refused',
    ]);
  });
  it('are the latest two hundred', () => {
    const mails = Array.from({ length: 205 }, (_, nth) => sent(String(nth)));
    expect(outcomes(registered, ...mails)).toEqual(Array.from({ length: 200 }, (_, nth) => `${nth + 5} sent`));
  });
  it('are removed with the account, including those that end after it', () => {
    expect(folded(registered, sent('a'), deleted, dropped('b', 'gone'))).toBeUndefined();
    expect(folded(sent('a'))).toBeUndefined();
  });
});
