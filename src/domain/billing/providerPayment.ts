/**
 * A payment's full current state at the provider, so that it may be reported repeatedly, late, or in any order. Amounts
 * in cents, times UTC ISO.
 */
/** The use of a promotion code with a limit that a payment settles; see `domain/code`. */
export type CodeUse = { readonly codeId: string; readonly useId: string; readonly promotionCodeId: string };

export type ProviderPayment = {
  readonly paymentIntentId: string;
  readonly customerId: string | null;
  /** The user we created it for; null: not created by this product. */
  readonly userId: string | null;
  readonly purpose: 'funds' | 'subscription';
  /** `open`: nothing was paid yet, and the browser must take further action. */
  readonly status: 'open' | 'processing' | 'succeeded' | 'canceled';
  /** Amount due or paid. */
  readonly amount: number;
  readonly currency: string;
  /** For funds: the terms agreed when it was created. */
  readonly agreed: {
    readonly quantity: number;
    readonly funds: number;
    readonly discountCode: string | null;
    readonly codeUse: CodeUse | null;
  } | null;
  readonly createdAt: string;
  /** Where to send the receipt if the account has no proven address. Not stored in any event. */
  readonly billingEmail?: string | null;
  /** Successful refunds. */
  readonly refunds: readonly { readonly refundId: string; readonly amount: number; readonly at: string }[];
  /** Excludes inquiries, which withhold no money. */
  readonly disputes: readonly {
    readonly disputeId: string;
    readonly amount: number;
    readonly status: 'open' | 'won' | 'lost';
    readonly at: string;
  }[];
};
