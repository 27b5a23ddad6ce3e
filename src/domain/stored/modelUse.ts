/** Language model usage, as stored in events. */
import * as z from 'zod';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';
import { count } from './fields.ts';

export const modelUse = {
  key: z.enum(PROMPT_KEYS),
  version: count,
  model: z.string(),
  answers: count,
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costMicros: count.nullable(),
  ms: count,
  used: z.boolean(),
};
