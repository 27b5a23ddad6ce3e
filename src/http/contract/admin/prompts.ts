/** Prompts, for admins to edit. */
import * as z from 'zod';
import {
  MAX_PROMPT_LENGTH,
  PROMPT_DESCRIPTION_MAX,
  PROMPT_KEYS,
  PROMPT_NAME_MAX,
  PROMPT_NOTE_MAX,
} from '../../../model/prompts/prompt.ts';
import { Cursor } from '../paging.ts';

export const PromptView = z.object({
  key: z.enum(PROMPT_KEYS),
  name: z.string(),
  description: z.string(),
  content: z.string(),
  /** If not, the delivered text is used. */
  is_active: z.boolean(),
  /** 1 is the delivered version. */
  version: z.number().int(),
  variables: z.array(z.object({ name: z.string(), description: z.string() })),
  category: z.enum(PROMPT_KEYS),
  /** Null for the delivered version. */
  updated_at: z.string().nullable(),
});
export type PromptView = z.infer<typeof PromptView>;

export const PromptsResponse = z.object({ success: z.literal(true), prompts: z.array(PromptView) });
export type PromptsResponse = z.infer<typeof PromptsResponse>;
export const PromptResponse = z.object({ success: z.literal(true), prompt: PromptView });
export type PromptResponse = z.infer<typeof PromptResponse>;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const tooLong = (max: number): string => `Please keep it to ${max} characters`;

export const SavePromptRequest = z.object({
  /** Errors in it are reported with code PROMPT_INVALID. */
  content: z.string().max(MAX_PROMPT_LENGTH, tooLong(MAX_PROMPT_LENGTH)),
  name: z
    .string()
    .max(PROMPT_NAME_MAX, tooLong(PROMPT_NAME_MAX))
    .transform(oneLine)
    .pipe(z.string().min(1, 'Please enter a name')),
  description: z.string().trim().max(PROMPT_DESCRIPTION_MAX, tooLong(PROMPT_DESCRIPTION_MAX)),
  is_active: z.boolean(),
  /** Reason for the change, kept in the history. */
  change_note: z.string().max(PROMPT_NOTE_MAX, tooLong(PROMPT_NOTE_MAX)).transform(oneLine).optional(),
  /** The version that was edited: if another one has been saved since, nothing is written (409). */
  version: z.number().int().positive().optional(),
});
export type SavePromptRequest = z.input<typeof SavePromptRequest>;

export const PromptVersionView = z.object({
  /** As named in reports: `seo_actions@3`. */
  id: z.string(),
  version: z.number().int(),
  /** Null for the delivered version. */
  created_at: z.string().nullable(),
  change_note: z.string(),
  content: z.string(),
});
export type PromptVersionView = z.infer<typeof PromptVersionView>;

export const PreviewPromptRequest = z.object({
  jobId: z.string().trim().min(1, 'Please name a finished job').max(200),
  content: z.string().max(MAX_PROMPT_LENGTH, tooLong(MAX_PROMPT_LENGTH)),
});
/** What a model would be asked; no model is actually called. */
export const PreviewPromptResponse = z.object({
  success: z.literal(true),
  preview: z.object({
    job_id: z.string(),
    host: z.string(),
    /** The rules that precede every prompt, and the prompt with its variables filled in. */
    system: z.string(),
    /** The audit data as sent. Null if nothing was found, in which case no model is called. */
    data: z.string().nullable(),
    /** A conservative estimate for both. */
    tokens: z.number().int(),
    /** The model that would be called; null if none is configured. */
    model: z.string().nullable(),
  }),
});
export type PreviewPromptResponse = z.infer<typeof PreviewPromptResponse>;

/**
 * A model's answer to a prompt tried on a finished job. Kept for an hour, and visible only to the admin who requested
 * it.
 */
export const PromptTrialView = z.object({
  job_id: z.string(),
  key: z.enum(PROMPT_KEYS),
  /** Sequence number of the request on this job. */
  ask: z.number().int(),
  status: z.enum(['pending', 'answered', 'failed']),
  asked_at: z.string(),
  /** Why the model was not called. */
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  answer: z
    .object({
      model: z.string(),
      /** Unmodified; null if there was none. */
      text: z.string().nullable(),
      /** Why a report would not use it; null if it would. */
      refused: z.string().nullable(),
      /** Number of parts a report would drop. */
      dropped: z.number().int(),
      /** Null if the endpoint does not report it. */
      input_tokens: z.number().int().nullable(),
      output_tokens: z.number().int().nullable(),
      /** Millionths of a US dollar; null if no prices are configured. */
      cost_micros: z.number().int().nullable(),
      ms: z.number().int(),
    })
    .nullable(),
});
export type PromptTrialView = z.infer<typeof PromptTrialView>;
export const PromptTrialResponse = z.object({ success: z.literal(true), trial: PromptTrialView });
export type PromptTrialResponse = z.infer<typeof PromptTrialResponse>;
export const PromptTrialStateResponse = z.object({ success: z.literal(true), trial: PromptTrialView.nullable() });
export type PromptTrialStateResponse = z.infer<typeof PromptTrialStateResponse>;

/** Default 20. */
export const PromptHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  cursor: Cursor,
});
export const RevertPromptQuery = z.object({
  /**
   * The version that was newest when the history was read: if another one has been saved since, nothing is written
   * (409).
   */
  version: z.coerce.number().int().positive().optional(),
});
/** Newest first; the delivered version is last. */
export const PromptHistoryResponse = z.object({
  success: z.literal(true),
  history: z.array(PromptVersionView),
  cursor: z.string().nullable(),
});
export type PromptHistoryResponse = z.infer<typeof PromptHistoryResponse>;
