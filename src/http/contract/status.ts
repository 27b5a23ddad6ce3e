import { z } from 'zod';
import { components } from './components.ts';

export const StatusResponse = z.object({
  success: z.literal(true),
  data: z.object({
    auth_system: z.object({ development_mode: z.boolean() }),
    /** Where a demo runs: the address of its site, for the form's hint. Null otherwise. */
    demo_site: z.string().nullable(),
    analyst: z.string(),
    support_email: z.string(),
    /** What becomes of mails, such as those for a forgotten password. `kept`: they wait in a folder of the server, for trying. */
    mail: z.enum(['sent', 'kept', 'none']),
    /** What is sold here, and by whom: nothing (`off`), or by a provider that moves money (`live`) or does not. */
    payments: z.enum(['live', 'test', 'sandbox', 'off']),
    /** Every account has everything: no limits, plans or prices. */
    unlimited: z.boolean(),
    limits: z.object({ max_pages: z.number().int(), batch: z.number().int() }),
  }),
});
export type StatusResponse = z.infer<typeof StatusResponse>;

export const VersionResponse = z.object({ success: z.literal(true), version: z.string() });
export type VersionResponse = z.infer<typeof VersionResponse>;

components({ StatusResponse, VersionResponse });
