/** A checkout session in Stripe's format. */
import type Stripe from 'stripe';

export type NewSession = {
  readonly id: string;
  readonly mode: 'payment' | 'subscription';
  readonly url: string;
  readonly currency: string;
  readonly subtotal: number;
  readonly customer: string | null;
  readonly email: string | null;
  readonly reference: string | null;
  readonly takesCodes: boolean | null;
  readonly metadata: Stripe.Metadata;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly created: number;
  readonly expires: number;
};

export function sessionObject(given: NewSession): Stripe.Checkout.Session {
  return {
    id: given.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: given.takesCodes,
    allowed_payment_method_types: null,
    amount_subtotal: given.subtotal,
    amount_total: given.subtotal,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: given.cancelUrl,
    client_reference_id: given.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: given.created,
    currency: given.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: given.customer,
    customer_account: null,
    customer_creation: given.mode === 'payment' ? 'if_required' : null,
    customer_details: null,
    customer_email: given.email,
    discounts: [],
    expires_at: given.expires,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: given.metadata,
    mode: given.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: given.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: given.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: given.url,
    wallet_options: null,
  };
}
