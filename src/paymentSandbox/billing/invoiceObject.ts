/** Builds an invoice in Stripe's format from its lines. */
import type Stripe from 'stripe';
import { needCustomer, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { wholeList } from '../server/lists.ts';
import { reductionsOf } from './discounts.ts';
import { periodOf } from './items.ts';
import { type Line, lineObject } from './lines.ts';

export type InvoiceDraft = {
  readonly id: string;
  readonly subscription: Stripe.Subscription;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  readonly lines: readonly Line[];
  /** Lines from earlier changes. */
  readonly pending: readonly Stripe.InvoiceLineItem[];
  readonly discounts: readonly string[];
};

/** Totals only: the amount due after discounts and the customer's credit balance. */
export function totalsOf(
  context: SandboxContext,
  customer: Stripe.Customer,
  lines: readonly Stripe.InvoiceLineItem[],
  discounts: readonly string[],
) {
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const discountable = lines.filter((line) => line.discountable).reduce((sum, line) => sum + line.amount, 0);
  const reductions = reductionsOf(context, discounts, discountable);
  const total = subtotal - reductions.reduce((sum, { amount }) => sum + amount, 0);
  const startingBalance = customer.balance;
  const due = Math.max(0, total + startingBalance);
  return { subtotal, reductions, total, startingBalance, due, endingBalance: total + startingBalance - due };
}

/** The customer's current data: an invoice does not change with it. */
const customerFields = ({ id, address, email, name, phone }: Stripe.Customer) => ({
  customer: id,
  customer_account: null,
  customer_address: address ?? null,
  customer_email: email,
  customer_name: name ?? null,
  customer_phone: phone ?? null,
  customer_shipping: null,
  customer_tax_exempt: 'none' as const,
  customer_tax_ids: [],
});

/** Open for payment, or paid if nothing is due. Writes nothing yet. */
export function invoiceObject(
  context: SandboxContext,
  { id, subscription, reason, lines, pending, discounts }: InvoiceDraft,
): Stripe.Invoice {
  const customer = needCustomer(context, idOf(subscription.customer) ?? '');
  const objects = [
    ...pending.map((line) => ({ ...line, invoice: id })),
    ...lines.map((line) => lineObject(context, line, id, subscription.currency)),
  ];
  const { subtotal, reductions, total, startingBalance, due, endingBalance } = totalsOf(
    context,
    customer,
    objects,
    discounts,
  );
  const sequence = customer.next_invoice_sequence ?? 1;
  const period = periodOf(subscription);
  const isPreview = reason === 'upcoming';
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Payment sandbox',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_paid_off_stripe: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: !isPreview,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: context.now,
    currency: subscription.currency,
    custom_fields: null,
    ...customerFields(customer),
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: reductions.map(({ discount }) => discount),
    due_date: null,
    effective_at: isPreview ? null : context.now,
    ending_balance: endingBalance,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: isPreview ? null : `${context.url}/invoices/${id}`,
    invoice_pdf: isPreview ? null : `${context.url}/invoices/${id}`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(objects, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: isPreview ? null : `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: reason === 'subscription_cycle' || isPreview ? period.start : context.now,
    period_start: reason === 'subscription_cycle' || isPreview ? period.start : context.now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: startingBalance,
    statement_descriptor: null,
    status: isPreview ? 'draft' : 'open',
    status_transitions: {
      finalized_at: isPreview ? null : context.now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: reductions.map(({ discount, amount }) => ({ amount, discount })),
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}
