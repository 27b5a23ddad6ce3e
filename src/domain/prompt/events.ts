/**
 * Storage format, version with care. Stream: `prompt-{key}`: the versions of one prompt after the delivered one, each
 * with its full text.
 */
import * as z from 'zod';
import { PROMPT_KEYS, type PromptKey } from '../../model/prompts/prompt.ts';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const promptStream = (key: PromptKey): string => `prompt-${key}`;

const number = z.int().positive();
const version = {
  key: z.enum(PROMPT_KEYS),
  /** From 2: the delivered prompt is version 1 and has no event. */
  version: number,
  name: z.string(),
  description: z.string(),
  content: z.string(),
  /** While the newest version is inactive, the delivered text is used. */
  active: z.boolean(),
  /** The author. Their address is not stored here: it is looked up while the account exists. */
  adminId: id,
};

export const PROMPT_EVENTS = {
  /** Null note: none was given. */
  PromptSaved: z.strictObject({ ...version, note: z.string().nullable(), savedAt: at }),
  /** The text of an earlier version becomes the newest again; name, description and `active` stay. */
  PromptReverted: z.strictObject({ ...version, revertedTo: number, revertedAt: at }),
};
export type PromptEvent = EventIn<typeof PROMPT_EVENTS>;
