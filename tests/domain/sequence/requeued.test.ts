/**
 * Sequence emails that were given up and are queued again: beside the rest of their sequence, and never for a reader
 * who no longer wants them.
 */
import { describe, expect, it } from 'vitest';
import { pendingMail } from '../../../src/domain/sequence/enrolments.ts';
import type {
  SequenceMailFailure,
  SequenceMailsEvent,
  SequenceStopReason,
} from '../../../src/domain/sequence/events.ts';
import { sequenceMailsDecider } from '../../../src/domain/sequence/mails.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(sequenceMailsDecider);
const at = '2026-03-10T12:00:00.000Z';
const enrolment = { userId: 'ann', sequenceId: 's', enrolmentId: 'e' };
const step = (stepNumber: number) => ({
  ...enrolment,
  mailId: `m${stepNumber}`,
  templateId: `t${stepNumber}`,
  stepNumber,
});
const enrolled: SequenceMailsEvent = {
  type: 'SequenceEnrolled',
  data: { ...enrolment, trigger: 'sign_up', triggeredAt: at, enrolledAt: at },
};
const scheduled = (nth: number): SequenceMailsEvent => ({
  type: 'SequenceMailScheduled',
  data: { ...step(nth), dueAt: at, scheduledAt: at },
});
const started = (nth: number, day: string): SequenceMailsEvent => ({
  type: 'SequenceMailStarted',
  data: { ...step(nth), day, startedAt: at },
});
const failed = (nth: number, reason: SequenceMailFailure): SequenceMailsEvent => ({
  type: 'SequenceMailFailed',
  data: { ...step(nth), reason, failedAt: at },
});
const requeued = (nth: number): SequenceMailsEvent => ({
  type: 'SequenceMailRequeued',
  data: { ...step(nth), requeuedAt: at },
});
const skipped = (nth: number): SequenceMailsEvent => ({
  type: 'SequenceMailSkipped',
  data: { ...step(nth), skippedAt: at },
});
const sent = (nth: number): SequenceMailsEvent => ({ type: 'SequenceMailSent', data: { ...step(nth), sentAt: at } });
const finished: SequenceMailsEvent = { type: 'SequenceFinished', data: { ...enrolment, finishedAt: at } };
const stopped = (reason: SequenceStopReason, mailId: string | null, stepNumber = 0): SequenceMailsEvent => ({
  type: 'SequenceStopped',
  data: { ...enrolment, reason, mailId, stepNumber, stoppedAt: at },
});
const requeue = { type: 'RequeueSequenceMail', mailId: 'm1', at } as const;
/** The first email was given up, and the second is scheduled. */
const past = [enrolled, scheduled(1), failed(1, 'given_up'), scheduled(2)];
const folded = (...events: readonly SequenceMailsEvent[]) =>
  events.reduce(sequenceMailsDecider.evolve, sequenceMailsDecider.initialState());

describe('a sequence email that was given up', () => {
  it('is queued again under its own id, once', () => {
    given(...past)
      .when(requeue)
      .then(requeued(1));
    given(...past, requeued(1))
      .when(requeue)
      .thenNothing();
    given(...past, requeued(1), failed(1, 'too_old'))
      .when(requeue)
      .then(requeued(1));
  });

  it('is not if it ended otherwise', () => {
    for (const end of [failed(1, 'refused'), failed(1, 'no_mailer'), skipped(1), sent(1)])
      given(enrolled, scheduled(1), end).when(requeue).thenRefused('WORK_NOT_RETRYABLE');
    given(...past, requeued(1), sent(1))
      .when(requeue)
      .thenRefused('WORK_NOT_RETRYABLE');
  });

  it('is not once its sequence was stopped, or its account is gone', () => {
    given(...past, stopped('turned_off', 'm2'))
      .when(requeue)
      .thenRefused('WORK_NOT_RETRYABLE');
    given(...past, {
      type: 'SequenceMailsClosed',
      data: { userId: 'ann', enrolmentIds: ['e'], mailIds: ['m1', 'm2'], closedAt: at },
    })
      .when(requeue)
      .thenRefused('WORK_NOT_RETRYABLE');
  });

  it('is sent without changing the schedule of the next one', () => {
    const before = folded(...past).enrolments[0];
    for (const end of [sent(1), failed(1, 'given_up'), skipped(1)]) {
      const after = folded(...past, requeued(1), end);
      expect(after.enrolments[0]).toMatchObject({ status: 'open', pending: before?.pending, done: before?.done });
      expect(pendingMail(after, 'm1')).toBeNull();
    }
    expect(folded(...past, sent(2), requeued(1), sent(1)).enrolments[0]?.sentStep).toBe(2);
  });

  it('may still be sent on the day of its last attempt, which no other email has', () => {
    given(enrolled, scheduled(1), started(1, '2026-03-10'), failed(1, 'given_up'), requeued(1))
      .when({ type: 'StartSequenceMail', mailId: 'm1', at })
      .thenNothing();
    given(enrolled, scheduled(1), failed(1, 'given_up'), scheduled(2), started(2, '2026-03-10'), requeued(1))
      .when({ type: 'StartSequenceMail', mailId: 'm1', at })
      .then({
        type: 'SequenceMailPutOff',
        data: { ...step(1), dueAt: '2026-03-11T12:00:00.000Z', plannedAt: at, putOffAt: at },
      });
  });

  it('is skipped when its reader turns these emails off, even after the last one of its sequence', () => {
    const stop = { type: 'StopSequenceMails', reason: 'turned_off', at } as const;
    given(...past, requeued(1))
      .when(stop)
      .then(skipped(1), stopped('turned_off', 'm2'));
    given(enrolled, scheduled(1), failed(1, 'too_old'), finished, requeued(1)).when(stop).then(skipped(1));
  });

  it('is closed with the account', () => {
    given(...past, requeued(1))
      .when({ type: 'CloseSequenceMails', userId: 'ann', at })
      .then(skipped(1), stopped('account_deleted', 'm2'), {
        type: 'SequenceMailsClosed',
        data: { userId: 'ann', enrolmentIds: ['e'], mailIds: ['m1', 'm2'], closedAt: at },
      });
  });

  it('that no server takes ends the sequences of its user', () => {
    given(...past, requeued(1))
      .when({ type: 'FailSequenceMail', mailId: 'm1', reason: 'refused', at })
      .then(failed(1, 'refused'), stopped('bounced', 'm2'));
  });
});
