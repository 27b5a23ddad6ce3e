/** Buying reports. */
import * as z from 'zod';
import { email } from './auth.ts';

export const PaymentConfigResponse = z.object({
  success: z.literal(true),
  data: z.object({
    publishable_key: z.string(),
    /** `sandbox`: no money moves, and every screen says so. */
    mode: z.enum(['live', 'test', 'sandbox']),
    /** Sandbox only: location of its card form and pages. */
    sandbox_url: z.string().nullable(),
  }),
});
export type PaymentConfigResponse = z.infer<typeof PaymentConfigResponse>;

export const ReportPriceResponse = z.object({
  success: z.literal(true),
  /** `unit_amount`: smallest currency unit. */
  price: z.object({ id: z.string(), unit_amount: z.number().int(), currency: z.string() }),
});
export type ReportPriceResponse = z.infer<typeof ReportPriceResponse>;

const Text = z.string().nullable();
export const CustomerView = z.object({
  name: Text,
  email: Text,
  address: z.object({ line1: Text, line2: Text, city: Text, state: Text, postal_code: Text, country: Text }).nullable(),
});
/** Null if the provider has none yet. */
export const CustomerInfoResponse = z.object({ success: z.literal(true), customer: CustomerView.nullable() });
export type CustomerInfoResponse = z.infer<typeof CustomerInfoResponse>;

/**
 * Lets the card fields offer the user's saved cards; null if the provider has no customer yet. Valid for half an hour;
 * not stored.
 */
export const CustomerSessionResponse = z.object({ success: z.literal(true), clientSecret: z.string().nullable() });
export type CustomerSessionResponse = z.infer<typeof CustomerSessionResponse>;

const DiscountCodeText = z.string().trim().min(1).max(100);
export const ValidateDiscountRequest = z.object({ code: DiscountCodeText });
export type ValidateDiscountRequest = z.infer<typeof ValidateDiscountRequest>;
/** Unknown, used and expired codes get the same response. */
export const ValidateDiscountResponse = z.discriminatedUnion('valid', [
  z.object({
    success: z.literal(true),
    valid: z.literal(true),
    id: z.string(),
    code: z.string(),
    percentOff: z.number().nullable(),
    /** Smallest currency unit, per report. */
    amountOff: z.number().int().nullable(),
    currency: z.string().nullable(),
    description: z.string().nullable(),
    /** Null, like the next: any number of uses. */
    maxRedemptions: z.number().int().nullable(),
    remainingRedemptions: z.number().int().nullable(),
    expiresAt: z.string().nullable(),
  }),
  z.object({ success: z.literal(true), valid: z.literal(false), error: z.string() }),
]);
export type ValidateDiscountResponse = z.infer<typeof ValidateDiscountResponse>;

/** Number of reports in one purchase. */
export const CreateCheckoutSessionRequest = z.object({
  priceId: z.string().min(1).max(200),
  quantity: z.number().int().min(1).max(20),
  /** Null or empty: none. */
  discountCode: z.string().trim().max(100).nullable().optional(),
  savePaymentMethod: z.boolean().optional(),
  billingEmail: email,
});
export type CreateCheckoutSessionRequest = z.infer<typeof CreateCheckoutSessionRequest>;
export const CreateCheckoutSessionResponse = z.object({
  success: z.literal(true),
  /** Opens this payment in the browser; not stored. */
  clientSecret: z.string(),
  paymentIntentId: z.string(),
  /** Amount charged, in the smallest currency unit. */
  amount: z.number().int(),
  currency: z.string(),
  /** Funds added in return. */
  funds: z.number().int(),
});
export type CreateCheckoutSessionResponse = z.infer<typeof CreateCheckoutSessionResponse>;

export const LeavePurchaseRequest = z.object({ paymentIntentId: z.string().min(1).max(255) });
export type LeavePurchaseRequest = z.infer<typeof LeavePurchaseRequest>;
export const LeavePurchaseResponse = z.object({ success: z.literal(true) });

/** `discountCode` is accepted but ignored: the terms agreed at checkout apply. */
export const VerifyPaymentRequest = z.object({
  paymentIntentId: z.string().min(1).max(200),
  discountCode: z.string().max(100).nullable().optional(),
});
export type VerifyPaymentRequest = z.infer<typeof VerifyPaymentRequest>;
export const VerifyPaymentResponse = z.object({
  success: z.literal(true),
  /** By an earlier call, or by the provider's own notification. */
  already_processed: z.boolean(),
  message: z.string(),
  /** Smallest currency unit. */
  funds_added: z.number().int(),
  /** `$50.00` */
  funds_added_formatted: z.string(),
  current_balance_formatted: z.string(),
});
export type VerifyPaymentResponse = z.infer<typeof VerifyPaymentResponse>;
