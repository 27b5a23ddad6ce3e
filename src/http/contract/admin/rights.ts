/** The admin right, granted and withdrawn by admins. */
import * as z from 'zod';

export const AdminRightRequest = z.object({ admin: z.boolean() });
export type AdminRightRequest = z.infer<typeof AdminRightRequest>;

export const AdminRightResponse = z.object({
  success: z.literal(true),
  data: z.object({ user_id: z.string(), is_admin: z.boolean() }),
});
export type AdminRightResponse = z.infer<typeof AdminRightResponse>;
