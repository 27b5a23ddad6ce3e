import * as z from 'zod';

/** Body of every error response. `error` is for people, `code` is stable. */
export const ErrorBody = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  /** All problems of an invalid input, by path. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** With INSUFFICIENT_CREDITS; with PAYMENT_NOT_SUCCEEDED, the status of the payment. */
  reason: z.string().optional(),
  credits_required: z.number().int().optional(),
  credits_available: z.number().int().optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
