/** Prompts tried on finished audits, and a model's answers: the latest trial of each audit, until it is forgotten. */
import type { PromptAnswer } from '../domain/promptTrial/events.ts';
import type { PromptKey } from '../model/prompts/prompt.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

/** One per job, under its id. */
export type PromptTrialDocument = {
  readonly job_id: string;
  readonly key: PromptKey;
  readonly ask: number;
  readonly status: 'pending' | 'answered' | 'failed';
  readonly asked_at: string;
  readonly failure: { readonly code: string; readonly reason: string } | null;
  readonly answer: TrialAnswer | null;
  /** The admin who asked; only they see it. */
  readonly adminId: string;
  readonly endedAt: string | null;
};

type TrialAnswer = Pick<PromptAnswer, 'model' | 'text' | 'refused' | 'dropped' | 'ms'> & {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_micros: number | null;
};

export const promptTrials = projection<PromptTrialDocument>()({
  name: 'promptTrials',
  version: 2,
  shape: 2,
  indexes: [['endedAt']],
  keys: ({ data }) => [data.jobId],
  on: {
    PromptTrialAsked: (_, { data: { jobId, adminId, ask, key, askedAt } }) => ({
      job_id: jobId,
      key,
      ask,
      status: 'pending',
      asked_at: askedAt,
      failure: null,
      answer: null,
      adminId,
      endedAt: null,
    }),
    PromptTrialAnswered: (trial, { data }) =>
      trial && { ...trial, status: 'answered', answer: answerOf(data.answer), endedAt: data.answeredAt },
    PromptTrialGivenUp: (trial, { data: { code, reason, givenUpAt } }) =>
      trial && { ...trial, status: 'failed', failure: { code, reason }, endedAt: givenUpAt },
    PromptTrialForgotten: () => null,
    JobDeleted: () => null,
  },
});

function answerOf({ inputTokens, outputTokens, costMicros, ms, ...answer }: PromptAnswer): TrialAnswer {
  return { ...answer, input_tokens: inputTokens, output_tokens: outputTokens, cost_micros: costMicros, ms };
}

/** Null if there was none, or it was forgotten. */
export function getPromptTrial(
  readModels: ReadModels,
  jobId: string,
): Promise<StoredDocument<PromptTrialDocument> | null> {
  return readModels.get('promptTrials', jobId);
}

/** Trials that ended before that time (UTC ISO), oldest first. */
export async function listEndedTrials(
  readModels: ReadModels,
  before: string,
  limit: number,
): Promise<readonly PromptTrialDocument[]> {
  const { documents } = await readModels.find<PromptTrialDocument>('promptTrials', {
    where: { endedAt: { lt: before } },
    sort: [['endedAt', 'asc']],
    limit,
  });
  return documents.map(({ data }) => data);
}
