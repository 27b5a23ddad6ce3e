import * as z from 'zod';

const TierKey = z.enum(['free', 'tier1', 'tier2', 'tier3', 'tier4']);

export const SubscriptionView = z.object({
  tier: TierKey,
  status: z.enum(['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'inactive']),
  features: z.object({ actionItemsLimit: z.number().int(), domainsPerMonth: z.number().int() }),
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodEnd: z.string().nullable(),
  /** A downgrade scheduled for the end of the period, and its date. */
  pendingTier: TierKey.nullable(),
  pendingAt: z.string().nullable(),
  /** For past_due: everything stays available until then. */
  graceEndsAt: z.string().nullable(),
  /** Why what the plan bought is on hold, with the status `unpaid`; null if it is not, or for an unpaid invoice. */
  holdReason: z.enum(['disputed', 'refunded']).nullable(),
  /** Whether the next audit is shown in full rather than as a preview. */
  hasFullAccess: z.boolean(),
  syncWarning: z.string().nullable(),
  syncError: z.string().nullable(),
});
export const UsageView = z.object({ used: z.number().int(), limit: z.number().int(), periodEnd: z.string() });

/** The user's means of payment. */
export const BalanceView = z.object({
  /** The tier whose rights the user currently has. */
  plan: TierKey,
  credits: z.number().int(),
  /** Smallest currency unit; negative after a refund of money already spent. */
  funds: z.number().int(),
  currency: z.string().nullable(),
  /** What pays for the next audit; null if nothing is left. Admins pay nothing in any case. */
  paysNext: z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']).nullable(),
});

export const SubscriptionStatusResponse = z.object({
  success: z.literal(true),
  data: z.object({ subscription: SubscriptionView, usage: UsageView, balance: BalanceView }),
});
export type SubscriptionStatusResponse = z.infer<typeof SubscriptionStatusResponse>;

/** Audits that are left, for programs: no amounts of money. */
export const AllowanceResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** What pays for the next audit; null if nothing is left. */
    pays_next: BalanceView.shape.paysNext,
    /** Audits that it still pays for; null where they are not counted. */
    left: z.number().int().nullable(),
  }),
});
export type AllowanceResponse = z.infer<typeof AllowanceResponse>;
/** The row sent on the `billing` channel. */
export const BillingRow = z.object({
  user_id: z.string(),
  subscription: SubscriptionView,
  usage: UsageView,
  balance: BalanceView,
  position: z.string(),
});
export type BillingRow = z.infer<typeof BillingRow>;

/** One line of the history: a payment, grant or change. */
export const Transaction = z.object({
  id: z.string(),
  type: z.string(),
  /** Smallest currency unit, or credits in a row without a currency. Negative for outgoing amounts. */
  amount: z.number().int(),
  currency: z.string().nullable(),
  /** Balance of the funds or credits afterward; null if neither changed. */
  balance_after: z.number().int().nullable(),
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
    amount_dollars: z.number().optional(),
    subscription_id: z.string().optional(),
    payment_intent_id: z.string().optional(),
    /** As shown on the invoice. */
    invoice_number: z.string().optional(),
    payment_method: z.string().optional(),
  }),
});
export type Transaction = z.infer<typeof Transaction>;

export const SubscriptionHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  cursor: z.string().max(500).optional(),
});
export const SubscriptionHistoryResponse = z.object({
  success: z.literal(true),
  data: z.object({
    transactions: z.array(Transaction),
    pagination: z.object({ limit: z.number().int(), has_more: z.boolean(), cursor: z.string().nullable() }),
  }),
});
export type SubscriptionHistoryResponse = z.infer<typeof SubscriptionHistoryResponse>;
