/** Stored events of prompt trials. Inputs and answers may quote an audit's findings, so only the admin who asked sees them. */
import * as z from 'zod';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';
import type { PromptTrialEvent } from '../promptTrial/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const trial = { jobId: id, ask: count, adminId: id };
const OF_TRIAL = ['jobId', 'adminId'] as const;

const answer = z.strictObject({
  model: z.string(),
  text: z.string().nullable(),
  refused: z.string().nullable(),
  dropped: count,
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costMicros: count.nullable(),
  ms: count,
});

export const PROMPT_TRIAL_TYPES = {
  PromptTrialAsked: stored(z.strictObject({ ...trial, key: z.enum(PROMPT_KEYS), content: z.string(), askedAt: at }), OF_TRIAL),
  PromptTrialStarted: stored(z.strictObject({ ...trial, attempt: count, startedAt: at }), OF_TRIAL),
  PromptTrialAnswered: stored(z.strictObject({ ...trial, attempt: count, answer, answeredAt: at }), OF_TRIAL, { secret: ['answer.text'] }),
  PromptTrialGivenUp: stored(z.strictObject({ ...trial, code: z.string(), reason: z.string(), givenUpAt: at }), OF_TRIAL),
  PromptTrialForgotten: stored(z.strictObject({ ...trial, forgottenAt: at }), OF_TRIAL),
} satisfies StoredTypes<PromptTrialEvent>;
