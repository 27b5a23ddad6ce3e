/** Prompts as admins edit them. */
import { z } from 'zod';
import { MAX_PROMPT_LENGTH, PROMPT_DESCRIPTION_MAX, PROMPT_KEYS, PROMPT_NAME_MAX, PROMPT_NOTE_MAX } from '../../../model/prompts/prompt.ts';
import { Cursor } from '../paging.ts';

export const PromptView = z.object({
  key: z.enum(PROMPT_KEYS),
  name: z.string(),
  description: z.string(),
  content: z.string(),
  /** While it is not, the delivered text is used. */
  is_active: z.boolean(),
  /** 1: as delivered. */
  version: z.number().int(),
  variables: z.array(z.object({ name: z.string(), description: z.string() })),
  category: z.enum(PROMPT_KEYS),
  /** Null: as delivered. */
  updated_at: z.string().nullable(),
});
export type PromptView = z.infer<typeof PromptView>;

export const PromptsResponse = z.object({ success: z.literal(true), prompts: z.array(PromptView) });
export type PromptsResponse = z.infer<typeof PromptsResponse>;
export const PromptResponse = z.object({ success: z.literal(true), prompt: PromptView });
export type PromptResponse = z.infer<typeof PromptResponse>;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const tooLong = (max: number): string => `Please keep it to ${max} characters`;

export const SavePromptRequest = z.strictObject({
  /** What is wrong with it is told with code PROMPT_INVALID. */
  content: z.string().max(MAX_PROMPT_LENGTH, tooLong(MAX_PROMPT_LENGTH)),
  name: z.string().max(PROMPT_NAME_MAX, tooLong(PROMPT_NAME_MAX)).transform(oneLine).pipe(z.string().min(1, 'Please enter a name')),
  description: z.string().trim().max(PROMPT_DESCRIPTION_MAX, tooLong(PROMPT_DESCRIPTION_MAX)),
  is_active: z.boolean(),
  /** Why it was changed, for the history. */
  change_note: z.string().max(PROMPT_NOTE_MAX, tooLong(PROMPT_NOTE_MAX)).transform(oneLine).optional(),
  /** The version that was edited: when another has been saved since, nothing is written (409). */
  version: z.number().int().positive().optional(),
});
export type SavePromptRequest = z.input<typeof SavePromptRequest>;

export const PromptVersionView = z.object({
  /** As reports name it: `seo_actions@3`. */
  id: z.string(),
  version: z.number().int(),
  /** Null: as delivered. */
  created_at: z.string().nullable(),
  change_note: z.string(),
  content: z.string(),
});
export type PromptVersionView = z.infer<typeof PromptVersionView>;

export const PreviewPromptRequest = z.strictObject({
  jobId: z.string().trim().min(1, 'Please name a finished job').max(200),
  content: z.string().max(MAX_PROMPT_LENGTH, tooLong(MAX_PROMPT_LENGTH)),
});
/** What a model would be asked; nobody is asked for it. */
export const PreviewPromptResponse = z.object({
  success: z.literal(true),
  preview: z.object({
    job_id: z.string(),
    host: z.string(),
    /** Rules that stand before every prompt, and the prompt with its variables filled in. */
    system: z.string(),
    /** What was found, as it is sent. Null: nothing was, so that no model is asked. */
    data: z.string().nullable(),
    /** A cautious guess for both. */
    tokens: z.number().int(),
  }),
});
export type PreviewPromptResponse = z.infer<typeof PreviewPromptResponse>;

/** Default 20. */
export const PromptHistoryQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(100).optional(), cursor: Cursor });
/** Newest first; the delivered version ends it. */
export const PromptHistoryResponse = z.object({ success: z.literal(true), history: z.array(PromptVersionView), cursor: z.string().nullable() });
export type PromptHistoryResponse = z.infer<typeof PromptHistoryResponse>;
