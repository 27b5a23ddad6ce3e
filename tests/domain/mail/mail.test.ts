import { describe, expect, it } from 'vitest';
import type { MailEvent } from '../../../src/domain/mail/events.ts';
import { type MailCommand, mailDecider } from '../../../src/domain/mail/mail.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(mailDecider);
const facts = { mailId: 'mail-1', userId: 'user-1', kind: 'job_done' } as const;
const at = '2026-03-01T00:00:09.000Z';
const prepared = (attempt?: number): MailEvent => ({
  type: 'MailPrepared',
  data: { ...facts, ...(attempt === undefined ? {} : { attempt }), unsubscribeHash: null, preparedAt: at },
});
const sentBy = (attempt: number): MailEvent => ({ type: 'MailSent', data: { ...facts, attempt, sentAt: at } });
const dropped: MailEvent = { type: 'MailDropped', data: { ...facts, reason: 'refused', droppedAt: at } };
const prepare: MailCommand = { type: 'PrepareMail', ...facts, unsubscribeHash: null, at };
const markSent = (attempt: number): MailCommand => ({ type: 'MarkMailSent', ...facts, attempt, at });
const drop = (attempt?: number): MailCommand => ({
  type: 'DropMail',
  ...facts,
  reason: 'refused',
  ...(attempt === undefined ? {} : { attempt }),
  at,
});

describe('an email', () => {
  it('counts its attempts', () => {
    given().when(prepare).then(prepared(1));
    given(prepared(1)).when(prepare).then(prepared(2));
  });
  it('counts attempts of earlier versions, which recorded no count', () =>
    given(prepared(), prepared()).when(prepare).then(prepared(3)));
  it('is sent by the current attempt, not by one that was replaced', () => {
    given(prepared(1)).when(markSent(1)).then(sentBy(1));
    given(prepared(1), prepared(2)).when(markSent(1)).thenNothing();
    given(prepared(1), prepared(2)).when(markSent(2)).then(sentBy(2));
  });
  it('is dropped by the current attempt, or by a caller that holds none', () => {
    given(prepared(1), prepared(2)).when(drop(1)).thenNothing();
    given(prepared(1), prepared(2)).when(drop(2)).then(dropped);
    given(prepared(1)).when(drop()).then(dropped);
    given().when(drop()).then(dropped);
  });
  const cause = { id: 'e', stream: 'job-1', revision: '4', type: 'JobCompleted' };
  const failed = (more: object = {}): MailEvent => ({
    type: 'MailDropped',
    data: { ...facts, reason: 'refused', cause, droppedAt: at, ...more },
  });
  const requeued: MailEvent = { type: 'MailRequeued', data: { ...facts, cause, requeuedAt: at } };
  const requeue: MailCommand = { type: 'RequeueMail', mailId: 'mail-1', at };
  it('records the cause with its failure', () => {
    given(prepared(1))
      .when({ ...drop(1), cause } as MailCommand)
      .then(failed());
    // Dropping an email that was queued again needs only its id.
    given(prepared(1), failed(), requeued)
      .when({
        type: 'DropMail',
        mailId: 'mail-1',
        userId: 'user-1',
        reason: 'given_up',
        cause: { ...cause, type: 'MailRequeued' },
        at,
      })
      .then(failed({ reason: 'given_up' }));
  });
  it('is queued again after a failure, and sent as before', () => {
    given(prepared(1), failed()).when(requeue).then(requeued);
    given(prepared(1), failed(), requeued).when(requeue).thenNothing();
    given(prepared(1), failed(), requeued).when(prepare).then(prepared(2));
    given(prepared(1), failed(), requeued, prepared(2)).when(markSent(2)).then(sentBy(2));
    given(prepared(1), failed(), requeued, prepared(2)).when(drop(1)).thenNothing();
  });
  it.each([
    ['was sent', [sentBy(1)], 'This email was sent.'],
    ['was not wanted', [failed({ reason: 'not_wanted' })], 'This email did not fail.'],
    [
      'has a link that is too old',
      [failed({ kind: 'password_reset' })],
      'Its link is too old by now. Its reader has to ask for a new one.',
    ],
    ['belongs to a sequence', [failed({ kind: 'sequence' })], 'Its sequence went on without it.'],
    [
      'failed in an earlier version',
      [dropped],
      'An earlier version recorded the failure, without what led to the email.',
    ],
  ] as const)('cannot be queued again if %s', (_, past, why) => {
    expect(() => mailDecider.decide(requeue, past.reduce(mailDecider.evolve, mailDecider.initialState()))).toThrow(why);
    given(...past)
      .when(requeue)
      .thenRefused('MAIL_NOT_RESENDABLE');
  });
  it('cannot be sent if it does not exist', () => given().when(requeue).thenRefused('MAIL_NOT_RESENDABLE'));
  it.each([sentBy(1), dropped])('does not change after its end: $type', (end) => {
    for (const command of [prepare, markSent(1), drop(), drop(1)]) given(prepared(1), end).when(command).thenNothing();
  });
});
