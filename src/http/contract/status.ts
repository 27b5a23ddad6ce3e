import * as z from 'zod';
import { SsoProviderView } from './logIn.ts';

export const StatusResponse = z.object({
  success: z.literal(true),
  data: z.object({
    auth_system: z.object({ development_mode: z.boolean() }),
    /** In a demo: URL of its site, for the hint in the form. Otherwise null. */
    demo_site: z.string().nullable(),
    analyst: z.string(),
    support_email: z.string(),
    /**
     * What happens to emails, such as those for password resets. `kept`: stored in a folder on the server, for trying
     * things out.
     */
    mail: z.enum(['sent', 'kept', 'none']),
    /** Ways to log in besides the password. */
    log_in: z.object({ by_mail: z.boolean(), providers: z.array(SsoProviderView) }),
    /** Whether anything is sold: nothing (`off`), or through a provider that moves real money (`live`) or does not. */
    payments: z.enum(['live', 'test', 'sandbox', 'off']),
    /** Every account has everything: no limits, plans or prices. */
    unlimited: z.boolean(),
    limits: z.object({ max_pages: z.number().int(), batch: z.number().int() }),
  }),
});
export type StatusResponse = z.infer<typeof StatusResponse>;

export const VersionResponse = z.object({ success: z.literal(true), version: z.string() });
export type VersionResponse = z.infer<typeof VersionResponse>;
