/**
 * The payments port: what the product asks of its payment provider, in the product's own words. One adapter, on the `stripe` library, which talks to Stripe
 * or to the sandbox of `src/paymentSandbox`. Amounts are integers in cents of their currency (`usd`), times UTC ISO.
 *
 * Every call that makes or changes something takes a `key`: made of the command's id, so that the same command, sent again, is done once.
 * All calls throw PaymentFault.
 */
import type { ProviderSubscription } from '../../domain/billing/decideSubscription.ts';
import type { ProviderPayment } from '../../domain/billing/providerPayment.ts';
import type { PaidTier } from '../../model/tiers.ts';

/** `live` moves money. */
export type PaymentMode = 'live' | 'test' | 'sandbox';

export type ReportPrice = { readonly priceId: string; readonly amount: number; readonly currency: string };
/** `amount`: whole units of the currency, as cents. */
export type TierPrice = { readonly tier: PaidTier; readonly priceId: string; readonly amount: number; readonly currency: string; readonly interval: 'month' };
export type Catalogue = { readonly report: ReportPrice; readonly tiers: readonly TierPrice[] };

export type PostalAddress = {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
};
export type Customer = { readonly customerId: string; readonly name: string | null; readonly email: string | null; readonly address: PostalAddress | null };

/** A promotion code that can be used now. Either `percentOff` or `amountOff` is set. */
export type PromotionCode = {
  readonly promotionCodeId: string;
  /** As the provider spells it. */
  readonly code: string;
  /** At most two decimals. */
  readonly percentOff: number | null;
  /** Cents. */
  readonly amountOff: number | null;
  /** Of `amountOff`. */
  readonly currency: string | null;
  readonly description: string | null;
  readonly maxRedemptions: number | null;
  readonly remainingRedemptions: number | null;
  readonly expiresAt: string | null;
};

export type Purchase = {
  readonly userId: string;
  readonly customerId: string;
  readonly quantity: number;
  /** What is charged. */
  readonly amount: number;
  readonly currency: string;
  /** What is added for it. */
  readonly funds: number;
  readonly discountCode: string | null;
  readonly billingEmail: string;
  /** Keep the card for the next purchase. */
  readonly savePaymentMethod: boolean;
  readonly key: string;
};
/** The secret opens this one payment in the browser. Never logged, never kept. */
export type StartedPayment = { readonly paymentIntentId: string; readonly clientSecret: string };

export type CustomerSubscription = { readonly customerId: string; readonly userId: string | null; readonly subscription: ProviderSubscription };
/** `tier` and `price`: of the line that it was for. */
export type SubscriptionInvoice = {
  readonly subscriptionId: string;
  readonly userId: string | null;
  readonly tier: PaidTier;
  readonly price: number;
  readonly invoice: NonNullable<ProviderSubscription['invoice']>;
};

/** What an event of the provider's is about; null: nothing that is kept here. */
export type EventSubject =
  | { readonly kind: 'payment'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription'; readonly subscriptionId: string }
  | { readonly kind: 'invoice'; readonly invoiceId: string };

/** An event of the provider's without its body, which names people; what it is about is fetched anyway. */
export type ProviderEvent = {
  readonly eventId: string;
  /** `invoice.paid` … */
  readonly type: string;
  readonly createdAt: string;
  readonly isLive: boolean;
  /** Set when it is of another account than the key's (Connect). */
  readonly account: string | null;
  readonly objectId: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly subject: EventSubject | null;
};

/** One line of the provider's own books, to be compared with ours. */
export type ProviderLine = {
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly paymentIntentId: string;
  readonly purpose: 'funds' | 'subscription';
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  /** Taken back by disputes that are open or lost. */
  readonly disputed: number;
};

export type Payments = {
  readonly mode: PaymentMode;
  readonly publishableKey: string;
  /** Set for the sandbox: where its card form posts to, and where its pages are, without a slash at the end. */
  readonly sandboxUrl: string | null;

  /** What is sold. Kept for five minutes; older when the provider is away. */
  catalogue(): Promise<Catalogue>;
  /** For reports. Null: unknown, used up, expired, with conditions, or not for this currency, which nobody outside can tell apart. */
  promotionCode(code: string): Promise<PromotionCode | null>;
  /** The id of a code that this customer may try on a plan: `startCheckout` refuses one whose conditions are not met. Null: there is none. */
  planCode(of: { readonly code: string; readonly customerId: string }): Promise<string | null>;

  /** The same `key` makes one customer. `name`: may be empty. */
  makeCustomer(of: { readonly userId: string; readonly email: string; readonly name: string; readonly key: string }): Promise<{ readonly customerId: string }>;
  /** Name and address: the customer's own, else those of the latest purchase. Null when the provider has none (any more). */
  customer(customerId: string): Promise<Customer | null>;
  /** With the secret, the card fields in the browser offer the cards that this customer saved. It is good for half an hour; never logged, never kept. */
  openCustomerSession(of: { readonly customerId: string; readonly key: string }): Promise<{ readonly clientSecret: string }>;
  /** Ends the customer's subscriptions at once and forgets who it was. Nothing to do: nothing happens. */
  forgetCustomer(customerId: string): Promise<void>;

  startPayment(purchase: Purchase): Promise<StartedPayment>;
  /** Null: the provider knows no such payment. */
  payment(paymentIntentId: string): Promise<ProviderPayment | null>;

  subscription(subscriptionId: string): Promise<CustomerSubscription | null>;
  /** Newest first, ended ones too. */
  subscriptionsOf(customerId: string): Promise<readonly CustomerSubscription[]>;
  /** Null: unknown, or of no subscription. */
  invoice(invoiceId: string): Promise<SubscriptionInvoice | null>;
  /** A page of the provider's where the plan is paid. */
  startCheckout(of: {
    readonly userId: string;
    readonly customerId: string;
    readonly tier: PaidTier;
    readonly promotionCodeId: string | null;
    readonly successUrl: string;
    readonly cancelUrl: string;
    readonly key: string;
  }): Promise<{ readonly url: string }>;
  /** At once, the rest of the period settled. Takes back a change or an end that was scheduled. @throws PaymentFault DECLINED: nothing has changed */
  upgrade(of: { readonly subscriptionId: string; readonly tier: PaidTier; readonly key: string }): Promise<void>;
  /** At the end of the period; takes back an end that was scheduled. */
  scheduleDowngrade(of: { readonly subscriptionId: string; readonly tier: PaidTier; readonly key: string }): Promise<void>;
  cancel(of: { readonly subscriptionId: string; readonly immediately: boolean; readonly key: string }): Promise<void>;
  /** Takes back a downgrade or an end that was scheduled. */
  reactivate(of: { readonly subscriptionId: string; readonly key: string }): Promise<void>;
  /** A page of the provider's for cards, invoices and the end of the plan; the address is good for a short time. */
  openPortal(of: { readonly customerId: string; readonly returnUrl: string; readonly key: string }): Promise<{ readonly url: string }>;

  /** From the raw bytes. @throws WebhookRefused: not signed by the provider, too old, or not of this account and mode */
  readWebhook(body: Uint8Array, signature: string | undefined): ProviderEvent;
  /** Events since then, oldest first; the provider keeps 30 days. */
  eventsSince(since: string): AsyncIterable<ProviderEvent>;
  /** All payments that went through. */
  books(): AsyncIterable<ProviderLine>;
};

/**
 * `UNAVAILABLE`: away, overloaded or too slow: try again later with the same key. `DECLINED`: the card; the text is for the user. `REFUSED`: the provider
 * does not take it, now or later. `NOT_FOUND`: no such object.
 */
export type PaymentFaultCode = 'UNAVAILABLE' | 'DECLINED' | 'REFUSED' | 'NOT_FOUND';

export class PaymentFault extends Error {
  readonly fault: PaymentFaultCode;
  constructor(fault: PaymentFaultCode, message: string) {
    super(message);
    this.name = 'PaymentFault';
    this.fault = fault;
  }
}

export class WebhookRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'WebhookRefused';
  }
}
