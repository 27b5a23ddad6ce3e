/**
 * Storage format, version with care. Stream: `prompt-trial-{jobId}`: a prompt that an admin tries on a finished audit,
 * and the language model's answer. Everything except the last event is erased an hour after the trial ends, and with
 * the audit. Inputs and answers may quote an audit's findings, so only the admin who asked sees them.
 */
import * as z from 'zod';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const promptTrialStream = (jobId: string): string => `prompt-trial-${jobId}`;

/** `ask` counts the trials on this audit. */
const ofTrial = { jobId: id, ask: count, adminId: id };

/** Result of one request to a model. */
const promptAnswer = z.strictObject({
  model: z.string(),
  /** As received, truncated if very long; null if there was none. */
  text: z.string().nullable(),
  /** Why an audit would reject it, as a sentence; null if it would not. */
  refused: z.string().nullable(),
  /** Number of parts that an audit would leave out. */
  dropped: count,
  /** As counted by the endpoint; null if it does not count. */
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  /** Millionths of a US dollar; null if no price is known. */
  costMicros: count.nullable(),
  ms: count,
});
export type PromptAnswer = Infer<typeof promptAnswer>;

export const PROMPT_TRIAL_EVENTS = {
  PromptTrialAsked: z.strictObject({ ...ofTrial, key: z.enum(PROMPT_KEYS), content: z.string(), askedAt: at }),
  /** Once per attempt: `attempt` counts across all asks. */
  PromptTrialStarted: z.strictObject({ ...ofTrial, attempt: count, startedAt: at }),
  PromptTrialAnswered: z.strictObject({ ...ofTrial, attempt: count, answer: promptAnswer, answeredAt: at }),
  /** `reason` is shown to the admin. */
  PromptTrialGivenUp: z.strictObject({ ...ofTrial, code: z.string(), reason: z.string(), givenUpAt: at }),
  /** Earlier events are erased. */
  PromptTrialForgotten: z.strictObject({ ...ofTrial, forgottenAt: at }),
};
export type PromptTrialEvent = EventIn<typeof PROMPT_TRIAL_EVENTS>;
