import { describe, it } from 'vitest';
import type { ReworkEvent } from '../../../src/domain/rework/events.ts';
import { type ReworkCommand, type ReworkSubject, reworkDecider } from '../../../src/domain/rework/rework.ts';
import { specOf } from '../../given/decider.ts';
import { modelUse } from '../../given/modelUse.ts';

const given = specOf(reworkDecider);
const at = '2026-03-01T00:00:09.000Z';
const named = { reworkId: 'rework-1', jobId: 'job-1', userId: 'ann' };
const facts = (ask = 1) => ({ ...named, ask });
const ask = (subject: ReworkSubject = { what: 'plan' }): ReworkCommand => ({
  type: 'RequestRework',
  ...named,
  subject,
  at,
});
const asked = (nth = 1): ReworkEvent => ({ type: 'PlanRegenerationAsked', data: { ...facts(nth), askedAt: at } });
const started = (attempt: number, nth = 1): ReworkEvent => ({
  type: 'ReworkStarted',
  data: { ...facts(nth), attempt, startedAt: at },
});
const done = (attempt = 1): ReworkEvent => ({
  type: 'ReworkDone',
  data: { ...facts(), attempt, by: 'AI', doneAt: at },
});
const givenUp: ReworkEvent = {
  type: 'ReworkGivenUp',
  data: { ...facts(), code: 'GIVEN_UP', reason: 'No.', givenUpAt: at },
};
const start: ReworkCommand = { type: 'StartRework', at };
const finish = (attempt: number): ReworkCommand => ({ type: 'FinishRework', attempt, by: 'AI', at });
const giveUp = (attempt?: number): ReworkCommand => ({
  type: 'GiveUpRework',
  code: 'GIVEN_UP',
  reason: 'No.',
  ...(attempt ? { attempt } : {}),
  at,
});

describe('redoing a part of an audit', () => {
  it('is requested by kind and job', () => {
    given().when(ask()).then(asked());
    given()
      .when(ask({ what: 'summary' }))
      .then({ type: 'SummaryAsked', data: { ...facts(), askedAt: at } });
    given()
      .when(ask({ what: 'verification', actionId: 'a' }))
      .then({ type: 'VerificationAsked', data: { ...facts(), actionId: 'a', askedAt: at } });
  });
  it('is requested one at a time, and counted', () => {
    given(asked()).when(ask()).thenNothing();
    given(asked(), started(1)).when(ask()).thenNothing();
    for (const end of [done(), givenUp]) given(asked(), started(1), end).when(ask()).then(asked(2));
  });
  it('counts its attempts over all requests', () => {
    given(asked()).when(start).then(started(1));
    given(asked(), started(1)).when(start).then(started(2));
    given(asked(), started(1), done(), asked(2)).when(start).then(started(2, 2));
  });
  it('is completed or given up by the current attempt', () => {
    given(asked(), started(1)).when(finish(1)).then(done());
    const { data } = done() as Extract<ReworkEvent, { type: 'ReworkDone' }>;
    given(asked(), started(1))
      .when({ type: 'FinishRework', attempt: 1, by: 'AI', prompt: 'seo_actions@3', at })
      .then({ type: 'ReworkDone', data: { ...data, prompt: 'seo_actions@3' } });
    given(asked(), started(1)).when(giveUp(1)).then(givenUp);
    for (const command of [finish(1), giveUp(1)]) given(asked(), started(1), started(2)).when(command).thenNothing();
  });
  it('records the prompt with its end, whatever became of the answer', () => {
    const use = modelUse({ key: 'seo_actions' });
    const modelAsked: ReworkEvent = {
      type: 'ReworkModelAsked',
      data: { ...facts(), attempt: 1, ...use, recordedAt: at },
    };
    given(asked(), started(1))
      .when({ ...finish(1), asked: use } as ReworkCommand)
      .then(modelAsked, done());
    given(asked(), started(1))
      .when({ ...giveUp(1), asked: use } as ReworkCommand)
      .then(modelAsked, givenUp);
    given(asked(), started(1), started(2))
      .when({ ...finish(1), asked: use } as ReworkCommand)
      .thenNothing();
    given(asked(), started(1), modelAsked, done()).when(finish(1)).thenNothing();
  });
  it('can be given up before any attempt and during one', () => {
    given(asked()).when(giveUp()).then(givenUp);
    given(asked(), started(1)).when(giveUp()).then(givenUp);
  });
  it('does not change after its end, or before any request', () => {
    for (const command of [start, finish(1), giveUp(), giveUp(1)]) {
      given().when(command).thenNothing();
      given(asked(), started(1), done()).when(command).thenNothing();
      given(asked(), givenUp).when(command).thenNothing();
    }
  });
});
