import * as z from 'zod';

export const AdminSessionResponse = z.object({
  success: z.literal(true),
  /** Until admin routes ask for a new log-in, unless the admin does something before. */
  data: z.object({ seconds_left: z.number().int() }),
});
export type AdminSessionResponse = z.infer<typeof AdminSessionResponse>;
