import { z } from 'zod';

export const SubscriptionView = z.object({
  tier: z.enum(['free', 'tier1', 'tier2', 'tier3', 'tier4']),
  status: z.enum(['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'inactive']),
  features: z.object({ actionItemsLimit: z.number().int(), domainsPerMonth: z.number().int() }),
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodEnd: z.string().nullable(),
});
export const UsageView = z.object({ used: z.number().int(), limit: z.number().int(), periodEnd: z.string() });

export const SubscriptionStatusResponse = z.object({ success: z.literal(true), data: z.object({ subscription: SubscriptionView, usage: UsageView }) });
export type SubscriptionStatusResponse = z.infer<typeof SubscriptionStatusResponse>;
/** The row that the `billing` channel sends. */
export const BillingRow = z.object({ user_id: z.string(), subscription: SubscriptionView, usage: UsageView, position: z.string() });
export type BillingRow = z.infer<typeof BillingRow>;
