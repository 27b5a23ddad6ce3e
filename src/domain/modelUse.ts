/**
 * Usage of a language model for one text, as events record it: across all attempts, with neither the question nor the
 * answer.
 */
import * as z from 'zod';
import { PROMPT_KEYS } from '../model/prompts/prompt.ts';
import { count, type Infer } from './eventSchemas.ts';

export const modelUse = {
  /** The prompt used; its key identifies the text. */
  key: z.enum(PROMPT_KEYS),
  version: count,
  model: z.string(),
  /** Number of answers received, usable or not. */
  answers: count,
  /** Total of all answers, as counted by the endpoint; null if it does not count, or if there were no answers. */
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  /** Millionths of a US dollar; null if no price or no count is known. */
  costMicros: count.nullable(),
  /** From the first request to the last answer, including waits between attempts. */
  ms: count,
  /** Whether the model's text was used; false: the built-in rules filled in. */
  used: z.boolean(),
};

const schema = z.strictObject(modelUse);
export type ModelUse = Infer<typeof schema>;
