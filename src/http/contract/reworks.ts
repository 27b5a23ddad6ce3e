import { z } from 'zod';

/** A part of an analysis that a worker does once more, as the socket's channel `reworks` and its list tell of it. */
export const ReworkView = z.object({
  /** The same for the same thing, however often it is asked for. */
  id: z.string(),
  job_id: z.string(),
  what: z.enum(['actions', 'summary', 'verification']),
  /** Of a verification. */
  action_id: z.string().nullable(),
  /** Counts how often it was asked for; the rest tells of the last time. */
  ask: z.number().int(),
  status: z.enum(['pending', 'done', 'failed']),
  /** Why it failed, for a program and for a person. */
  code: z.string().nullable(),
  error: z.string().nullable(),
  asked_at: z.string(),
  ended_at: z.string().nullable(),
});
export type ReworkView = z.infer<typeof ReworkView>;

/** In an answer that came before the work was done: its own fields are empty then, and the socket tells when it has ended. */
export const PENDING = { pending: z.literal(true).optional(), rework: ReworkView.optional() } as const;

/** The newest of each thing. */
export const ReworksResponse = z.object({ success: z.literal(true), reworks: z.array(ReworkView) });
export type ReworksResponse = z.infer<typeof ReworksResponse>;
