/** The available plans, and changing one's own. */
import * as z from 'zod';
import { SubscriptionView } from './billing.ts';

const PaidTierKey = z.enum(['tier1', 'tier2', 'tier3', 'tier4']);
const TierKey = z.enum(['free', 'tier1', 'tier2', 'tier3', 'tier4']);
/** A URL of this installation. */
const OwnUrl = z.string().min(1).max(2000);

export const PlanView = z.object({
  key: TierKey,
  name: z.string(),
  /** In whole currency units, as shown. */
  price: z.number(),
  /** The same in the smallest currency unit. */
  unit_amount: z.number().int(),
  currency: z.string(),
  interval: z.literal('month'),
  /** For Free: number of previews. */
  domainsPerMonth: z.number().int(),
  /** 100: all. */
  actionItemsLimit: z.number().int(),
  /** `email_support`, `api_access` … */
  features: z.array(z.string()),
  /** Those of `features` that are provided on request, at least in part: write to the support address. */
  on_request: z.array(z.string()),
  /** 'Most Popular' */
  highlighted: z.boolean(),
});
export type PlanView = z.infer<typeof PlanView>;
export const PlansResponse = z.object({ success: z.literal(true), data: z.array(PlanView) });
export type PlansResponse = z.infer<typeof PlansResponse>;

export const SyncSubscriptionResponse = z.object({
  success: z.literal(true),
  data: z.object({ synced_at: z.string() }),
});
export type SyncSubscriptionResponse = z.infer<typeof SyncSubscriptionResponse>;

export const CreateCheckoutRequest = z.object({
  tier: PaidTierKey,
  successUrl: OwnUrl,
  cancelUrl: OwnUrl,
  promotionCode: z.string().trim().max(100).optional(),
});
export type CreateCheckoutRequest = z.infer<typeof CreateCheckoutRequest>;
/** A URL to redirect to, valid for a short time. */
export const HostedPageResponse = z.object({
  success: z.literal(true),
  url: z.string(),
  data: z.object({ url: z.string() }),
});
export type HostedPageResponse = z.infer<typeof HostedPageResponse>;

/** The browser's view is compared with the actual state; if they differ, nothing is changed. */
export const UpdatePlanRequest = z.object({ newTier: TierKey, currentTier: TierKey, isUpgrade: z.boolean() });
export type UpdatePlanRequest = z.infer<typeof UpdatePlanRequest>;
export const UpdatePlanResponse = z.object({
  success: z.literal(true),
  data: z.object({ subscription: SubscriptionView }),
});
export type UpdatePlanResponse = z.infer<typeof UpdatePlanResponse>;

export const UpgradeCostRequest = z.object({ newTier: PaidTierKey });
export type UpgradeCostRequest = z.infer<typeof UpgradeCostRequest>;
/** In the smallest unit of the currency. */
export const UpgradeCostResponse = z.object({
  success: z.literal(true),
  /** `limit`: audits of the current period after it, of which `used` are taken. */
  data: z.object({ amount: z.int(), currency: z.string(), limit: z.int(), used: z.int() }),
});
export type UpgradeCostResponse = z.infer<typeof UpgradeCostResponse>;

export const CustomerPortalRequest = z.object({ returnUrl: OwnUrl });
export type CustomerPortalRequest = z.infer<typeof CustomerPortalRequest>;

export const CancelSubscriptionRequest = z.object({ immediately: z.boolean() });
export type CancelSubscriptionRequest = z.infer<typeof CancelSubscriptionRequest>;
export const CancelSubscriptionResponse = z.object({
  success: z.literal(true),
  data: z.object({
    success: z.literal(true),
    currentPeriodEnd: z.string(),
    data: z.object({ currentPeriodEnd: z.string() }),
  }),
});
export type CancelSubscriptionResponse = z.infer<typeof CancelSubscriptionResponse>;

/** Nothing in it is read. */
export const ReactivateRequest = z.object({});
export const ReactivateResponse = z.object({
  success: z.literal(true),
  data: z.object({ subscription: SubscriptionView }),
});
export type ReactivateResponse = z.infer<typeof ReactivateResponse>;
