/**
 * The payments port: what the product needs from its payment provider, in the product's own terms. The only adapter
 * uses the `stripe` library, with Stripe or with the sandbox of `src/paymentSandbox`. Amounts are integers in cents of
 * their currency (`usd`), times are UTC ISO.
 *
 * Every call that creates or changes something takes a `key`, derived from the command's id, so that a repeated command
 * takes effect once. All calls throw PaymentFault.
 */
import type { ProviderSubscription } from '../../domain/billing/decideSubscription.ts';
import type { SubscriptionStatus } from '../../domain/billing/events.ts';
import type { CodeUse, ProviderPayment } from '../../domain/billing/providerPayment.ts';
import type { CodeLimits } from '../../domain/code/code.ts';
import type { PaidTier } from '../../model/tiers.ts';

/** `live` charges real money. */
export type PaymentMode = 'live' | 'test' | 'sandbox';

export type ReportPrice = { readonly priceId: string; readonly amount: number; readonly currency: string };
/** `amount` is in cents, but a whole number of currency units. */
export type TierPrice = {
  readonly tier: PaidTier;
  readonly priceId: string;
  /** By which its subscriptions are recognized, at whatever price. */
  readonly productId: string;
  readonly amount: number;
  readonly currency: string;
  readonly interval: 'month';
};
export type Catalogue = { readonly report: ReportPrice; readonly tiers: readonly TierPrice[] };

export type PostalAddress = {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
};
export type Customer = {
  readonly customerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly address: PostalAddress | null;
};

/** A code of a discount, with the number of its uses, of which the provider counts those for plans. */
export type CountedCode = {
  readonly promotionCodeId: string;
  /** In the provider's spelling. */
  readonly code: string;
  /** The discount: its codes may share a number of uses. */
  readonly couponId: string;
  /** Null: any number of uses. */
  readonly limits: CodeLimits | null;
};

/** A usable promotion code. Exactly one of `percentOff` and `amountOff` is set. */
export type PromotionCode = CountedCode & {
  /** At most two decimals. */
  readonly percentOff: number | null;
  /** Cents. */
  readonly amountOff: number | null;
  /** Currency of `amountOff`. */
  readonly currency: string | null;
  readonly description: string | null;
  readonly expiresAt: string | null;
};

export type Purchase = {
  readonly userId: string;
  readonly customerId: string;
  readonly quantity: number;
  /** The amount charged. */
  readonly amount: number;
  readonly currency: string;
  /** The funds added in return. */
  readonly funds: number;
  readonly discountCode: string | null;
  /** The reserved use of a code with a limit. */
  readonly codeUse: CodeUse | null;
  readonly billingEmail: string;
  /** Save the card for the next purchase. */
  readonly savePaymentMethod: boolean;
  readonly key: string;
};
/** The client secret gives a browser access to this one payment. Never logged or stored. */
export type StartedPayment = { readonly paymentIntentId: string; readonly clientSecret: string };

export type CustomerSubscription = {
  readonly customerId: string;
  /** From its metadata; null if it has none. */
  readonly userId: string | null;
  readonly subscription: ProviderSubscription;
};
/** `tier`, `productId` and `price` are those of the invoice line. */
export type SubscriptionInvoice = {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly userId: string | null;
  /** Null: of a product that is none of the plans. */
  readonly tier: PaidTier | null;
  readonly productId: string | null;
  readonly price: number;
  readonly invoice: NonNullable<ProviderSubscription['invoice']>;
};

/** What a provider event is about; null if nothing stored here depends on it. */
export type EventSubject =
  | { readonly kind: 'payment'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription'; readonly subscriptionId: string }
  | { readonly kind: 'invoice'; readonly invoiceId: string };

/** A provider event without its body, which contains personal data; its subject is fetched anyway. */
export type ProviderEvent = {
  readonly eventId: string;
  /** `invoice.paid` … */
  readonly type: string;
  readonly createdAt: string;
  readonly isLive: boolean;
  /** Set if it belongs to another account than the key's (Connect). */
  readonly account: string | null;
  readonly objectId: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly subject: EventSubject | null;
};

/** One payment in the provider's records, to be reconciled with ours. */
export type ProviderLine = {
  readonly userId: string | null;
  readonly customerId: string | null;
  readonly paymentIntentId: string;
  readonly purpose: 'funds' | 'subscription';
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  /** Withdrawn by open or lost disputes. */
  readonly disputed: number;
};

/** One subscription in the provider's records, to be reconciled with ours. */
export type ProviderPlan = {
  readonly subscriptionId: string;
  /** Null: it names none. */
  readonly userId: string | null;
  readonly status: SubscriptionStatus;
  readonly productId: string;
  /** Null: its product is none of the plans. */
  readonly tier: PaidTier | null;
};

export type Payments = {
  readonly mode: PaymentMode;
  readonly publishableKey: string;
  /** For the sandbox only: base URL of its card form and pages, without a trailing slash. */
  readonly sandboxUrl: string | null;

  /** The prices. Cached for five minutes, longer while the provider is unavailable. */
  catalogue(): Promise<Catalogue>;
  /**
   * For reports. Null if unknown, used up by plans, expired, conditional or in another currency; callers cannot tell
   * these apart.
   */
  promotionCode(code: string): Promise<PromotionCode | null>;
  /**
   * A code that this customer may try on a plan: `startCheckout` rejects one whose conditions are not met. Null if there
   * is none.
   */
  planCode(of: { readonly code: string; readonly customerId: string }): Promise<CountedCode | null>;

  /** Idempotent per `key`. `name` may be empty. */
  makeCustomer(of: {
    readonly userId: string;
    readonly email: string;
    readonly name: string;
    readonly key: string;
  }): Promise<{ readonly customerId: string }>;
  /**
   * Name and address are the customer's own, else those of the latest purchase. Null if the provider has no such
   * customer (anymore).
   */
  customer(customerId: string): Promise<Customer | null>;
  /**
   * The secret lets the browser's card fields offer this customer's saved cards. Valid for half an hour; never logged
   * or stored.
   */
  openCustomerSession(of: {
    readonly customerId: string;
    readonly key: string;
  }): Promise<{ readonly clientSecret: string }>;
  /** Ends the customer's subscriptions immediately and deletes the customer. Does nothing if there is none. */
  forgetCustomer(customerId: string): Promise<void>;

  startPayment(purchase: Purchase): Promise<StartedPayment>;
  /** So that it cannot be paid any more. No effect if it was paid or canceled before. */
  cancelPayment(paymentIntentId: string): Promise<void>;
  /** Null if the provider has no such payment. */
  payment(paymentIntentId: string): Promise<ProviderPayment | null>;

  /** Null if the provider has no such subscription. */
  subscription(subscriptionId: string): Promise<CustomerSubscription | null>;
  /** Newest first, including ended ones, and those of products that are none of the plans. */
  subscriptionsOf(customerId: string): Promise<readonly CustomerSubscription[]>;
  /** Null if there is none, or if it is not part of a subscription. */
  invoice(invoiceId: string): Promise<SubscriptionInvoice | null>;
  /** Returns a page of the provider for paying the plan. */
  startCheckout(of: {
    readonly userId: string;
    readonly customerId: string;
    readonly tier: PaidTier;
    readonly promotionCodeId: string | null;
    readonly successUrl: string;
    readonly cancelUrl: string;
    readonly key: string;
  }): Promise<{ readonly url: string }>;
  /** What an upgrade would charge now. */
  upgradeCost(of: {
    readonly subscriptionId: string;
    readonly tier: PaidTier;
  }): Promise<{ readonly amount: number; readonly currency: string }>;
  /**
   * Takes effect immediately, with proration. Reverts a scheduled change or cancellation.
   * @throws PaymentFault DECLINED: nothing has changed
   */
  upgrade(of: { readonly subscriptionId: string; readonly tier: PaidTier; readonly key: string }): Promise<void>;
  /** Takes effect at the end of the period; reverts a scheduled cancellation. */
  scheduleDowngrade(of: {
    readonly subscriptionId: string;
    readonly tier: PaidTier;
    readonly key: string;
  }): Promise<void>;
  cancel(of: { readonly subscriptionId: string; readonly immediately: boolean; readonly key: string }): Promise<void>;
  /** Reverts a scheduled downgrade or cancellation. */
  reactivate(of: { readonly subscriptionId: string; readonly key: string }): Promise<void>;
  /** Returns a page of the provider for cards, invoices and canceling the plan; its URL is short-lived. */
  openPortal(of: {
    readonly customerId: string;
    readonly returnUrl: string;
    readonly key: string;
  }): Promise<{ readonly url: string }>;

  /**
   * Judges a delivery by its signature header alone, before it is read.
   * @throws WebhookRefused: the header names no time, or one too far from now
   */
  checkWebhookTime(signature: string | undefined): void;
  /**
   * Takes the raw bytes.
   * @throws WebhookRefused: not signed by the provider, too old, or not for this account and mode
   */
  readWebhook(body: Uint8Array, signature: string | undefined): ProviderEvent;
  /** Events since that time, oldest first; the provider keeps 30 days. */
  eventsSince(since: string): AsyncIterable<ProviderEvent>;
  /** All successful payments. */
  books(): AsyncIterable<ProviderLine>;
  /** All subscriptions, ended ones included. */
  plans(): AsyncIterable<ProviderPlan>;
};

/**
 * `UNAVAILABLE`: unreachable, overloaded or too slow; retry later with the same key. `DECLINED`: by the card; the text
 * is for the user. `REFUSED`: the provider rejects the request permanently. `NOT_FOUND`: no such object.
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
