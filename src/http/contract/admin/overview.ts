import * as z from 'zod';

const Total = z.number().int();

/** Figures of the /admin page. */
export const AdminOverviewResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** `failed_today`: failed since midnight, UTC; canceled jobs are not counted. */
    jobs: z.object({ under_way: Total, failed_today: Total }),
    users: Total,
    /** Emails that are due and not sent yet. */
    mails_due: Total,
    /** Services that are degraded or down. */
    services_not_up: Total,
    /** Prompts edited since delivery. */
    prompts_changed: Total,
  }),
});
export type AdminOverviewResponse = z.infer<typeof AdminOverviewResponse>;
