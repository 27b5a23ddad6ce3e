/** A payment as the provider has it: looked at whole, so that it may be told twice, late or in any order. Amounts in cents, times UTC ISO. */
export type ProviderPayment = {
  readonly paymentIntentId: string;
  readonly customerId: string | null;
  /** Whom we made it for; null: not made by us. */
  readonly userId: string | null;
  readonly purpose: 'funds' | 'subscription';
  /** `open`: nothing was paid yet, and more is to be done in the browser. */
  readonly status: 'open' | 'processing' | 'succeeded' | 'canceled';
  /** What is, or was, to be paid. */
  readonly amount: number;
  readonly currency: string;
  /** Of funds: what was agreed when it was made. */
  readonly agreed: { readonly quantity: number; readonly funds: number; readonly discountCode: string | null } | null;
  readonly createdAt: string;
  /** Where its receipt goes when the account has no proven address. Stands in no event. */
  readonly billingEmail?: string | null;
  /** Those that have gone through. */
  readonly refunds: readonly { readonly refundId: string; readonly amount: number; readonly at: string }[];
  /** Without inquiries, which take no money. */
  readonly disputes: readonly { readonly disputeId: string; readonly amount: number; readonly status: 'open' | 'won' | 'lost'; readonly at: string }[];
};
