/** Stored events of prompts. */
import * as z from 'zod';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';
import type { PromptEvent } from '../prompt/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const version = z.int().positive();
const VERSION = {
  key: z.enum(PROMPT_KEYS),
  version,
  name: z.string(),
  description: z.string(),
  content: z.string(),
  active: z.boolean(),
  adminId: id,
};

export const PROMPT_TYPES = {
  PromptSaved: stored(z.strictObject({ ...VERSION, note: z.string().nullable(), savedAt: at }), ['key', 'adminId']),
  PromptReverted: stored(z.strictObject({ ...VERSION, revertedTo: version, revertedAt: at }), ['key', 'adminId']),
} satisfies StoredTypes<PromptEvent>;
