/** Prompts tried on finished audits, and a model's answers: the latest trial of each audit, until it is forgotten. */
import type { PromptAnswer } from '../domain/promptTrial/events.ts';
import type { PromptKey } from '../model/prompts/prompt.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

/** One per job, under its id. */
export type PromptTrialDocument = {
  readonly jobId: string;
  /** The admin who asked; only they see it. */
  readonly adminId: string;
  readonly ask: number;
  readonly key: PromptKey;
  readonly status: 'pending' | 'answered' | 'failed';
  readonly answer: PromptAnswer | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
  readonly askedAt: string;
  readonly endedAt: string | null;
};

export const promptTrials = projection<PromptTrialDocument>()({
  name: 'promptTrials',
  version: 1,
  indexes: [['endedAt']],
  keys: ({ data }) => [data.jobId],
  on: {
    PromptTrialAsked: (_, { data: { jobId, adminId, ask, key, askedAt } }) => ({
      jobId,
      adminId,
      ask,
      key,
      status: 'pending',
      answer: null,
      failure: null,
      askedAt,
      endedAt: null,
    }),
    PromptTrialAnswered: (trial, { data }) =>
      trial && { ...trial, status: 'answered', answer: data.answer, endedAt: data.answeredAt },
    PromptTrialGivenUp: (trial, { data: { code, reason, givenUpAt } }) =>
      trial && { ...trial, status: 'failed', failure: { code, reason }, endedAt: givenUpAt },
    PromptTrialForgotten: () => null,
    JobDeleted: () => null,
  },
});

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
