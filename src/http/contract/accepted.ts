import * as z from 'zod';

/**
 * Answered 202 to a write without an Idempotency-Key whose result cannot be shown yet. The header `Location` says where
 * it will be.
 */
export const AcceptedResponse = z.object({
  success: z.literal(true),
  accepted: z.literal(true),
  /** Of what was written, such as `jobId`. */
  ids: z.record(z.string(), z.string()),
  message: z.string(),
});
export type AcceptedResponse = z.infer<typeof AcceptedResponse>;
