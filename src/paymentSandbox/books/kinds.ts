/** What the sandbox stores: Stripe's own objects by their types, and what Stripe keeps internally about them. */
import type Stripe from 'stripe';

/** An invoice or subscription line pending for the next invoice. */
export type PendingLine = { readonly id: string; readonly subscription: string; readonly line: Stripe.InvoiceLineItem };

/** A card's behavior, stored apart from its payment method. The number itself is not kept. */
export type CardSecret = {
  readonly id: string;
  readonly behaviour: string;
  /** Authenticated in a challenge, for later charges. */
  readonly proven: boolean;
};

/** The purpose of a payment, stored apart from its payment intent. */
export type IntentPurpose = { readonly id: string; readonly invoice: string | null; readonly session: string | null };

/** A payment that is still processing. */
export type SlowPayment = { readonly id: string; readonly due: number };

/** The private state of a hosted page: the token its forms send back, and its discounts. */
export type PageSecret = {
  readonly id: string;
  readonly token: string;
  readonly discounts: readonly DiscountChoice[];
  readonly paymentMethod: string | null;
};

export type DiscountChoice = { readonly coupon: string; readonly promotionCode: string | null };

/** What `checkout.sessions.create` specified for the future subscription or payment. */
export type SessionPlan = {
  readonly id: string;
  readonly items: readonly { readonly price: string; readonly quantity: number }[];
  readonly trialDays: number;
  readonly keepFor: 'off_session' | 'on_session' | null;
  readonly subscriptionMetadata: Stripe.Metadata;
  readonly intentMetadata: Stripe.Metadata;
};

export type Kinds = {
  customer: Stripe.Customer;
  /** By its client secret, since it has no other id. */
  customer_session: Stripe.CustomerSession & { readonly id: string };
  deleted_customer: Stripe.DeletedCustomer;
  product: Stripe.Product;
  price: Stripe.Price;
  coupon: Stripe.Coupon;
  promotion_code: Stripe.PromotionCode;
  discount: Stripe.Discount;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  subscription: Stripe.Subscription;
  subscription_schedule: Stripe.SubscriptionSchedule;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  checkout_session: Stripe.Checkout.Session;
  checkout_item: Stripe.LineItem & { readonly session: string };
  portal_session: Stripe.BillingPortal.Session;
  portal_configuration: Stripe.BillingPortal.Configuration;
  webhook_endpoint: Stripe.WebhookEndpoint;
  event: StoredEvent;
  pending_line: PendingLine;
  card_secret: CardSecret;
  intent_purpose: IntentPurpose;
  slow_payment: SlowPayment;
  page_secret: PageSecret;
  session_plan: SessionPlan;
};

export type Kind = keyof Kinds;

/** An event as sent; its type is open, since the sandbox derives it from the object that changed. */
export type StoredEvent = {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: unknown; readonly previous_attributes?: Readonly<Record<string, unknown>> };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
};

/** An id's prefix identifies its kind. */
export const PREFIXES = {
  customer: 'cus',
  product: 'prod',
  price: 'price',
  promotion_code: 'promo',
  discount: 'di',
  payment_method: 'pm',
  payment_intent: 'pi',
  setup_intent: 'seti',
  charge: 'ch',
  refund: 're',
  dispute: 'du',
  subscription: 'sub',
  subscription_schedule: 'sub_sched',
  invoice: 'in',
  invoice_payment: 'inpay',
  checkout_session: 'cs_test',
  portal_session: 'bps',
  portal_configuration: 'bpc',
  webhook_endpoint: 'we',
  event: 'evt',
} as const satisfies Partial<Record<Kind, string>>;

/** The kind of object an id names; null if the sandbox keeps none under such ids. */
export function kindOfId(id: string): keyof typeof PREFIXES | null {
  const found = Object.entries(PREFIXES)
    .filter(([, prefix]) => id.startsWith(`${prefix}_`))
    .sort(([, one], [, other]) => other.length - one.length)[0];
  return found ? (found[0] as keyof typeof PREFIXES) : null;
}
