/** Prompts tried on finished audits, and a model's answers: the latest trial of each audit, until it is forgotten. */
import type { JobEvent } from '../domain/job/events.ts';
import type { PromptAnswer, PromptTrialEvent } from '../domain/promptTrial/events.ts';
import type { PromptKey } from '../model/prompts/prompt.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

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

type TrialsEvent = Exclude<PromptTrialEvent, { readonly type: 'PromptTrialStarted' }> | Extract<JobEvent, { readonly type: 'JobDeleted' }>;

export const promptTrials: Projection<PromptTrialDocument, TrialsEvent> = {
  name: 'promptTrials',
  version: 1,
  indexes: [['endedAt']],
  handles: ['PromptTrialAsked', 'PromptTrialAnswered', 'PromptTrialGivenUp', 'PromptTrialForgotten', 'JobDeleted'],
  keys: (event) => [event.data.jobId],
  evolve(document, event) {
    switch (event.type) {
      case 'PromptTrialAsked': {
        const { jobId, adminId, ask, key, askedAt } = event.data;
        return { jobId, adminId, ask, key, status: 'pending', answer: null, failure: null, askedAt, endedAt: null };
      }
      case 'PromptTrialAnswered': {
        const { answer, answeredAt } = event.data;
        return document && { ...document, status: 'answered', answer, endedAt: answeredAt };
      }
      case 'PromptTrialGivenUp': {
        const { code, reason, givenUpAt } = event.data;
        return document && { ...document, status: 'failed', failure: { code, reason }, endedAt: givenUpAt };
      }
      case 'PromptTrialForgotten':
      case 'JobDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

/** Null if there was none, or it was forgotten. */
export function getPromptTrial(readModels: ReadModels, jobId: string): Promise<StoredDocument<PromptTrialDocument> | null> {
  return readModels.get('promptTrials', jobId);
}

/** Trials that ended before that time (UTC ISO), oldest first. */
export async function listEndedTrials(readModels: ReadModels, before: string, limit: number): Promise<readonly PromptTrialDocument[]> {
  const { documents } = await readModels.find<PromptTrialDocument>('promptTrials', { where: { endedAt: { lt: before } }, sort: [['endedAt', 'asc']], limit });
  return documents.map(({ data }) => data);
}
