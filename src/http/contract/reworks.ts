import * as z from 'zod';

/** A part of an audit that a worker redoes, as sent on the socket channel `reworks` and in the list. */
export const ReworkView = z.object({
  /** The same for the same subject, however often it is requested. */
  id: z.string(),
  job_id: z.string(),
  what: z.enum(['actions', 'summary', 'verification']),
  /** For a verification. */
  action_id: z.string().nullable(),
  /** Number of times it was requested; the other fields describe the latest request. */
  ask: z.number().int(),
  status: z.enum(['pending', 'done', 'failed']),
  /** Why it failed: a code for programs and a text for people. */
  code: z.string().nullable(),
  error: z.string().nullable(),
  asked_at: z.string(),
  ended_at: z.string().nullable(),
});
export type ReworkView = z.infer<typeof ReworkView>;

/**
 * In a response sent before the work was done: its own fields are then empty, and the socket notifies when the work
 * ends.
 */
export const PENDING = { pending: z.literal(true).optional(), rework: ReworkView.optional() } as const;

/** The newest for each subject. */
export const ReworksResponse = z.object({ success: z.literal(true), reworks: z.array(ReworkView) });
export type ReworksResponse = z.infer<typeof ReworksResponse>;
