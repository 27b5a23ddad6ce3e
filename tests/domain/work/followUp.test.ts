import { describe, it } from 'vitest';
import type { FollowUpEvent } from '../../../src/domain/work/events.ts';
import { type FollowUpCommand, followUpDecider, workDecider } from '../../../src/domain/work/followUp.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(followUpDecider);
const at = '2026-03-01T00:00:09.000Z';
const followUpId = 'follow-up-1';
const facts = {
  followUpId,
  follower: 'planFiles',
  stream: 'plan-1',
  revision: '3',
  eventType: 'ActionStarted',
  error: 'TypeError',
};
const setAside: FollowUpEvent = { type: 'FollowUpSetAside', data: { ...facts, setAsideAt: at } };
const done: FollowUpEvent = { type: 'FollowUpDone', data: { followUpId, doneAt: at } };
const dropped: FollowUpEvent = { type: 'FollowUpDropped', data: { followUpId, reason: 'gone', droppedAt: at } };
const aside: FollowUpCommand = { type: 'SetFollowUpAside', ...facts, at };
const finish: FollowUpCommand = { type: 'FinishFollowUp', at };
const drop: FollowUpCommand = { type: 'DropFollowUp', reason: 'gone', at };

describe('an event that a follower could not process', () => {
  it('is set aside once', () => {
    given().when(aside).then(setAside);
    given(setAside).when(aside).thenNothing();
  });
  it('is completed or dropped', () => {
    given(setAside).when(finish).then(done);
    given(setAside).when(drop).then(dropped);
  });
  it.each([done, dropped])('does not change after its end: $type', (end) => {
    for (const command of [aside, finish, drop]) given(setAside, end).when(command).thenNothing();
  });
  it('is queued again after an operator dropped it, and only then', () => {
    const requeue: FollowUpCommand = { type: 'RequeueFollowUp', at };
    const byOperator: FollowUpEvent = {
      type: 'FollowUpDropped',
      data: { followUpId, reason: 'dropped', droppedAt: at },
    };
    const requeued: FollowUpEvent = {
      type: 'FollowUpRequeued',
      data: { followUpId, follower: 'planFiles', requeuedAt: at },
    };
    given(setAside, byOperator).when(requeue).then(requeued);
    given(setAside, byOperator, requeued).when(requeue).thenNothing();
    given(setAside, byOperator, requeued).when(finish).then(done);
    for (const end of [done, dropped]) given(setAside, end).when(requeue).thenRefused('WORK_NOT_RETRYABLE');
  });
  it('cannot be completed or dropped unless it was set aside', () => {
    for (const command of [finish, drop]) given().when(command).thenNothing();
  });
});

describe('an item of work', () => {
  it('can be requested any number of times', () => {
    const asked = { type: 'WorkRetryAsked', data: { kind: 'audit', itemId: 'job-1', askedAt: at } } as const;
    specOf(workDecider)(asked).when({ type: 'AskRetry', kind: 'audit', itemId: 'job-1', at }).then(asked);
  });
  it('is dropped from the list of given-up work', () => {
    const dropped = { type: 'GivenUpWorkDropped', data: { kind: 'audit', itemId: 'job-1', droppedAt: at } } as const;
    specOf(workDecider)().when({ type: 'DropGivenUp', kind: 'audit', itemId: 'job-1', at }).then(dropped);
  });
});
