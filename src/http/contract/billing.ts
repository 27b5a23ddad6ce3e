import { z } from 'zod';
import { components } from './components.ts';

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

/** One line of the history: what was paid, granted or changed. */
export const Transaction = z.object({
  id: z.string(),
  type: z.string(),
  /** Smallest currency unit. */
  amount: z.number().int(),
  created_at: z.string(),
  reason: z.string().nullable(),
  description: z.string().nullable(),
  status: z.string(),
  transaction_type: z.string(),
  stripe_payment_id: z.string().nullable(),
  metadata: z.object({
    tier: z.string().optional(),
    tier_price: z.number().int().optional(),
    monthly_price: z.number().int().optional(),
    amount_dollars: z.number().int().optional(),
    subscription_id: z.string().optional(),
    payment_intent_id: z.string().optional(),
    payment_method: z.string().optional(),
  }),
});
export type Transaction = z.infer<typeof Transaction>;

export const SubscriptionHistoryQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(100).optional(), cursor: z.string().max(500).optional() });
export const SubscriptionHistoryResponse = z.object({
  success: z.literal(true),
  data: z.object({
    transactions: z.array(Transaction),
    pagination: z.object({ limit: z.number().int(), has_more: z.boolean(), cursor: z.string().nullable() }),
  }),
});
export type SubscriptionHistoryResponse = z.infer<typeof SubscriptionHistoryResponse>;

components({ SubscriptionStatusResponse, SubscriptionView, UsageView });
