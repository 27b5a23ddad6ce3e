import { describe, it } from 'vitest';
import type { PromptAnswer, PromptTrialEvent } from '../../../src/domain/promptTrial/events.ts';
import { type PromptTrialCommand, promptTrialDecider } from '../../../src/domain/promptTrial/promptTrial.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(promptTrialDecider);
const at = '2026-03-01T00:00:09.000Z';
const trial = (ask = 1, adminId = 'ada') => ({ jobId: 'j', ask, adminId });
const answer: PromptAnswer = {
  model: 'm',
  text: '{}',
  refused: null,
  dropped: 0,
  inputTokens: 1,
  outputTokens: 1,
  costMicros: null,
  ms: 5,
};
const ask = (more: { readonly adminId?: string; readonly content?: string } = {}): PromptTrialCommand => ({
  type: 'RequestPromptTrial',
  jobId: 'j',
  adminId: 'ada',
  key: 'summary',
  content: 'Write.',
  at,
  ...more,
});
const asked = (nth = 1, adminId = 'ada'): PromptTrialEvent => ({
  type: 'PromptTrialAsked',
  data: { ...trial(nth, adminId), key: 'summary', content: 'Write.', askedAt: at },
});
const started = (attempt: number): PromptTrialEvent => ({
  type: 'PromptTrialStarted',
  data: { ...trial(), attempt, startedAt: at },
});
const answered: PromptTrialEvent = {
  type: 'PromptTrialAnswered',
  data: { ...trial(), attempt: 1, answer, answeredAt: at },
};
const givenUp: PromptTrialEvent = {
  type: 'PromptTrialGivenUp',
  data: { ...trial(), code: 'GIVEN_UP', reason: 'No.', givenUpAt: at },
};
const forgotten: PromptTrialEvent = { type: 'PromptTrialForgotten', data: { ...trial(), forgottenAt: at } };
const start: PromptTrialCommand = { type: 'StartPromptTrial', at };
const tell = (attempt: number): PromptTrialCommand => ({ type: 'AnswerPromptTrial', attempt, answer, at });
const giveUp = (attempt?: number): PromptTrialCommand => ({
  type: 'GiveUpPromptTrial',
  code: 'GIVEN_UP',
  reason: 'No.',
  ...(attempt ? { attempt } : {}),
  at,
});
const forget = (nth?: number): PromptTrialCommand => ({
  type: 'ForgetPromptTrial',
  ...(nth === undefined ? {} : { ask: nth }),
  at,
});

describe('trying a prompt on an audit', () => {
  it('is requested one at a time, and counted', () => {
    given().when(ask()).then(asked());
    given(asked()).when(ask()).thenNothing();
    for (const other of [ask({ content: 'Other.' }), ask({ adminId: 'ben' })])
      given(asked(), started(1)).when(other).thenRefused('PROMPT_TRIAL_PENDING');
    for (const end of [answered, givenUp, forgotten])
      given(asked(), started(1), end)
        .when(ask({ adminId: 'ben' }))
        .then(asked(2, 'ben'));
  });
  it('is answered or given up by the current attempt', () => {
    given(asked()).when(start).then(started(1));
    given(asked(), started(1)).when(start).then(started(2));
    given(asked(), started(1)).when(tell(1)).then(answered);
    given(asked(), started(1)).when(giveUp(1)).then(givenUp);
    for (const command of [tell(1), giveUp(1)]) given(asked(), started(1), started(2)).when(command).thenNothing();
    given(asked(), started(1)).when(giveUp()).then(givenUp);
  });
  it('is erased after its end, or with its audit', () => {
    given(asked(), started(1), answered).when(forget(1)).then(forgotten);
    given(asked(), started(1), answered, asked(2)).when(forget(1)).thenNothing();
    given(asked(), started(1)).when(forget(1)).thenNothing();
    given(asked(), started(1)).when(forget()).then(forgotten);
    for (const command of [start, tell(1), giveUp(), forget()])
      given(asked(), started(1), forgotten).when(command).thenNothing();
    given().when(forget()).thenNothing();
  });
});
