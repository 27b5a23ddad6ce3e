import { expect, it } from 'vitest';
import type { JobEvent } from '../../src/domain/job/events.ts';
import type { PromptAnswer, PromptTrialEvent } from '../../src/domain/promptTrial/events.ts';
import { promptTrials } from '../../src/projections/promptTrials.ts';
import { project } from '../given/stores/projection.ts';

const at = '2026-03-01T00:00:09.000Z';
const trial = { jobId: 'j', ask: 1, adminId: 'ada' };
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
const asked: PromptTrialEvent = {
  type: 'PromptTrialAsked',
  data: { ...trial, key: 'summary', content: 'Write.', askedAt: at },
};
const answered: PromptTrialEvent = {
  type: 'PromptTrialAnswered',
  data: { ...trial, attempt: 1, answer, answeredAt: at },
};
const givenUp: PromptTrialEvent = {
  type: 'PromptTrialGivenUp',
  data: { ...trial, code: 'NO_MODEL', reason: 'None.', givenUpAt: at },
};
const forgotten: PromptTrialEvent = { type: 'PromptTrialForgotten', data: { ...trial, forgottenAt: at } };
const deleted: JobEvent = { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at } };
type Taken = Parameters<typeof promptTrials.evolve>[1];
const folded = (...events: readonly (PromptTrialEvent | JobEvent)[]) =>
  project(promptTrials, ...(events as readonly Taken[])).j;

const pending = {
  job_id: 'j',
  key: 'summary',
  ask: 1,
  status: 'pending',
  asked_at: at,
  failure: null,
  answer: null,
  adminId: 'ada',
  endedAt: null,
};

it('has the last trial on an audit, without the text asked', () => {
  expect(folded(asked)).toEqual(pending);
  const { inputTokens, outputTokens, costMicros, ...others } = answer;
  expect(folded(asked, answered)).toEqual({
    ...pending,
    status: 'answered',
    answer: { ...others, input_tokens: inputTokens, output_tokens: outputTokens, cost_micros: costMicros },
    endedAt: at,
  });
  expect(folded(asked, givenUp)).toEqual({
    ...pending,
    status: 'failed',
    failure: { code: 'NO_MODEL', reason: 'None.' },
    endedAt: at,
  });
  expect(folded(asked, answered, asked)).toEqual(pending);
});

it('is removed with its content, and with the audit', () => {
  expect(folded(asked, answered, forgotten)).toBeUndefined();
  expect(folded(asked, deleted, answered)).toBeUndefined();
});
