import { describe, expect, it } from 'vitest';
import type { SequenceMailsEvent } from '../../../src/domain/sequence/events.ts';
import { sequenceMailsDecider, stepAfter } from '../../../src/domain/sequence/mails.ts';
import { specOf } from '../../given/decider.ts';
import { template } from '../../given/sequences.ts';

const given = specOf(sequenceMailsDecider);
const at = '2026-03-10T12:00:00.000Z';
const on = (day: number, time = '12:00:00.000Z'): string => `2026-03-${String(day).padStart(2, '0')}T${time}`;
const enrolment = (id: string) => ({ userId: 'ann', sequenceId: `sequence ${id}`, enrolmentId: id });
const enrolled = (id: string): SequenceMailsEvent => ({
  type: 'SequenceEnrolled',
  data: { ...enrolment(id), trigger: 'sign_up', triggeredAt: at, enrolledAt: at },
});
const step = (id: string, stepNumber: number) => ({
  ...enrolment(id),
  mailId: `${id}${stepNumber}`,
  templateId: `template-${stepNumber}`,
  stepNumber,
});
const scheduled = (id: string, stepNumber: number, dueAt: string): SequenceMailsEvent => ({
  type: 'SequenceMailScheduled',
  data: { ...step(id, stepNumber), dueAt, scheduledAt: at },
});
const started = (id: string, nth: number, day: string): SequenceMailsEvent => ({
  type: 'SequenceMailStarted',
  data: { ...step(id, nth), day, startedAt: at },
});
const sent = (id: string, nth: number, sentAt = at): SequenceMailsEvent => ({
  type: 'SequenceMailSent',
  data: { ...step(id, nth), sentAt },
});
const stopped = (
  id: string,
  reason: 'turned_off' | 'bounced' | 'account_deleted',
  mailId: string | null,
  stepNumber = 0,
): SequenceMailsEvent => ({
  type: 'SequenceStopped',
  data: { ...enrolment(id), reason, mailId, stepNumber, stoppedAt: at },
});

describe('the next step', () => {
  const begin = { stepNumber: 0, plannedAt: at };

  it('is due a number of days after the trigger, or after the previous step was due', () => {
    const templates = [template(2, { delayDays: 3 }), template(1, { delayDays: 0 })];
    expect(stepAfter(templates, begin)).toEqual({ templateId: 'template-1', stepNumber: 1, dueAt: at });
    expect(stepAfter(templates, { stepNumber: 1, plannedAt: at })).toEqual({
      templateId: 'template-2',
      stepNumber: 2,
      dueAt: on(13),
    });
    expect(stepAfter(templates, { stepNumber: 2, plannedAt: at })).toBeNull();
  });

  it('skips a disabled step, whose delay still counts', () => {
    expect(
      stepAfter([template(1, { isActive: false, delayDays: 2 }), template(7, { delayDays: 1 })], begin),
    ).toMatchObject({ stepNumber: 7, dueAt: on(13) });
    expect(stepAfter([template(1, { isActive: false })], begin)).toBeNull();
  });

  it('counts days of 24 hours, regardless of daylight saving time', () => {
    expect(
      stepAfter([template(1, { delayDays: 2 })], { stepNumber: 0, plannedAt: '2026-03-28T23:30:00.000Z' })?.dueAt,
    ).toBe('2026-03-30T23:30:00.000Z');
  });
});

describe('an enrollment', () => {
  it('happens once per sequence, even after it ended', () => {
    const enrol = { type: 'Enrol', ...enrolment('a'), trigger: 'sign_up', triggeredAt: at, at } as const;
    given().when(enrol).then(enrolled('a'));
    given(enrolled('a')).when(enrol).thenNothing();
    given(enrolled('a'), stopped('a', 'turned_off', null))
      .when({ ...enrol, enrolmentId: 'another' })
      .thenNothing();
    given({ type: 'SequenceMailsClosed', data: { userId: 'ann', enrolmentIds: [], mailIds: [], closedAt: at } })
      .when(enrol)
      .thenNothing();
  });

  it('goes through the steps one at a time to its end', () => {
    const next = { mailId: 'a1', templateId: 'template-1', stepNumber: 1, dueAt: at };
    const schedule = { type: 'ScheduleNext', enrolmentId: 'a', after: 0, next, at } as const;
    given(enrolled('a'))
      .when(schedule)
      .then(scheduled('a', 1, at));
    given(enrolled('a'), scheduled('a', 1, at))
      .when(schedule)
      .thenNothing();
    given(enrolled('a'), scheduled('a', 1, at), sent('a', 1))
      .when(schedule)
      .thenNothing();
    given(enrolled('a'), scheduled('a', 1, at), sent('a', 1))
      .when({ ...schedule, after: 1, next: null })
      .then({ type: 'SequenceFinished', data: { ...enrolment('a'), finishedAt: at } });
    given(enrolled('a'), stopped('a', 'turned_off', null))
      .when(schedule)
      .thenNothing();
  });
});

describe('an email of a sequence', () => {
  const start = (mailId: string, when: string) => ({ type: 'StartSequenceMail', mailId, at: when }) as const;

  it('is the only one of its day, and is sent when due', () => {
    given(enrolled('a'), scheduled('a', 1, on(11)))
      .when(start('a1', on(10)))
      .thenNothing();
    given(enrolled('a'), scheduled('a', 1, at))
      .when(start('a1', at))
      .then(started('a', 1, '2026-03-10'));
    given(enrolled('a'), scheduled('a', 1, at), started('a', 1, '2026-03-10'))
      .when(start('a1', on(10, '13:00:00.000Z')))
      .thenNothing();
  });

  it('moves to the next day when another email has its day, at its own time of day', () => {
    const past = [
      enrolled('a'),
      enrolled('b'),
      scheduled('a', 1, at),
      scheduled('b', 1, on(9)),
      started('a', 1, '2026-03-10'),
    ];
    const putOff = (dueAt: string): SequenceMailsEvent => ({
      type: 'SequenceMailPutOff',
      data: { ...step('b', 1), dueAt, plannedAt: on(9), putOffAt: at },
    });
    given(...past)
      .when(start('b1', at))
      .then(putOff(on(11)));
    // A clock set back over midnight makes no room for a second email; one that was wrong by a month delays nobody.
    given(enrolled('b'), scheduled('b', 1, on(9)), enrolled('a'), scheduled('a', 1, at), started('a', 1, '2026-03-11'))
      .when(start('b1', on(10, '23:30:00.000Z')))
      .then({
        type: 'SequenceMailPutOff',
        data: { ...step('b', 1), dueAt: on(12), plannedAt: on(9), putOffAt: on(10, '23:30:00.000Z') },
      });
    given(enrolled('a'), enrolled('b'), scheduled('a', 1, at), scheduled('b', 1, at), started('a', 1, '2026-04-11'))
      .when(start('b1', at))
      .then(started('b', 1, '2026-03-10'));
  });

  it('when put off leaves later steps in place; when moved, moves them along', () => {
    const state = (more: SequenceMailsEvent) =>
      [enrolled('a'), scheduled('a', 1, on(9)), more, sent('a', 1)].reduce(
        sequenceMailsDecider.evolve,
        sequenceMailsDecider.initialState(),
      ).enrolments[0]?.done;
    expect(
      state({ type: 'SequenceMailPutOff', data: { ...step('a', 1), dueAt: on(11), plannedAt: on(9), putOffAt: at } })
        ?.plannedAt,
    ).toBe(on(9));
    given(enrolled('a'), scheduled('a', 1, on(9)))
      .when({ type: 'MoveSequenceMail', mailId: 'a1', dueAt: on(20), at })
      .then({ type: 'SequenceMailPutOff', data: { ...step('a', 1), dueAt: on(20), plannedAt: on(20), putOffAt: at } });
  });

  it('ends once', () => {
    given(enrolled('a'), scheduled('a', 1, at))
      .when({ type: 'MarkSequenceMailSent', mailId: 'a1', at })
      .then(sent('a', 1));
    given(enrolled('a'), scheduled('a', 1, at), sent('a', 1))
      .when({ type: 'MarkSequenceMailSent', mailId: 'a1', at })
      .thenNothing();
    given(enrolled('a'), scheduled('a', 1, at), stopped('a', 'turned_off', 'a1'))
      .when({ type: 'MarkSequenceMailSent', mailId: 'a1', at })
      .thenNothing();
    given(enrolled('a'), scheduled('a', 1, at))
      .when({ type: 'SkipSequenceMail', mailId: 'a1', at })
      .then({ type: 'SequenceMailSkipped', data: { ...step('a', 1), skippedAt: at } });
  });

  it('ends all sequences of its user when no server accepts it; other failures end nothing', () => {
    const past = [enrolled('a'), enrolled('b'), scheduled('a', 1, at), scheduled('b', 1, at)];
    const failed = (reason: 'refused' | 'too_old'): SequenceMailsEvent => ({
      type: 'SequenceMailFailed',
      data: { ...step('a', 1), reason, failedAt: at },
    });
    given(...past)
      .when({ type: 'FailSequenceMail', mailId: 'a1', reason: 'too_old', at })
      .then(failed('too_old'));
    given(...past)
      .when({ type: 'FailSequenceMail', mailId: 'a1', reason: 'refused', at })
      .then(failed('refused'), stopped('a', 'bounced', null), stopped('b', 'bounced', 'b1'));
  });
});

describe('opting out of sequence emails', () => {
  const stop = { type: 'StopSequenceMails', reason: 'turned_off', at } as const;

  it('drops those that are pending, and is counted after the last step sent', () => {
    given(enrolled('a'), scheduled('a', 1, at), sent('a', 1), scheduled('a', 2, on(12)))
      .when(stop)
      .then(stopped('a', 'turned_off', 'a2', 1));
    given(enrolled('a'), scheduled('a', 1, at), sent('a', 1), {
      type: 'SequenceFinished',
      data: { ...enrolment('a'), finishedAt: at },
    })
      .when(stop)
      .then(stopped('a', 'turned_off', null, 1));
    given(enrolled('a'), stopped('a', 'turned_off', null))
      .when(stop)
      .thenNothing();
    given().when(stop).thenNothing();
  });

  it('records an email in flight as sent afterwards, once', () => {
    const past = [
      enrolled('a'),
      scheduled('a', 1, at),
      started('a', 1, '2026-03-10'),
      stopped('a', 'turned_off', 'a1'),
    ];
    const sentNow = { type: 'MarkSequenceMailSent', mailId: 'a1', at } as const;
    given(...past)
      .when(sentNow)
      .then(sent('a', 1));
    given(...past, sent('a', 1))
      .when(sentNow)
      .thenNothing();
    given(...past, sent('a', 1))
      .when({ type: 'ScheduleNext', enrolmentId: 'a', after: 0, next: null, at })
      .thenNothing();
  });

  it('leaves nothing pending after the account is deleted either', () => {
    const close = { type: 'CloseSequenceMails', userId: 'ann', at } as const;
    const closed: SequenceMailsEvent = {
      type: 'SequenceMailsClosed',
      data: { userId: 'ann', enrolmentIds: ['a'], mailIds: ['a1'], closedAt: at },
    };
    given(enrolled('a'), scheduled('a', 1, at))
      .when(close)
      .then(stopped('a', 'account_deleted', 'a1'), closed);
    given(closed).when(close).thenNothing();
  });
});
