/** From lines to a paid invoice: creating it, charging it, and handling the payment's outcome. */
import type Stripe from 'stripe';
import { change, type Desk, need, needCustomer } from '../books/desk.ts';
import { idOf } from '../books/store.ts';
import { type Attempted, attempt } from '../payments/attempt.ts';
import { newIntent } from '../payments/paymentIntents.ts';
import { type InvoiceDraft, invoiceObject } from './invoiceObject.ts';

/** Writes the invoice with its pending lines, and a payment intent if something is due. */
export function writeInvoice(desk: Desk, draft: Omit<InvoiceDraft, 'id' | 'pending'>): Stripe.Invoice {
  const waiting = [...desk.store.each('pending_line', { tag: draft.subscription.id, oldestFirst: true })];
  const invoice = invoiceObject(desk, { ...draft, id: desk.newId('in'), pending: waiting.map(({ line }) => line) });
  for (const { id } of waiting) desk.store.remove('pending_line', id);
  desk.store.put('invoice', invoice);
  const customer = needCustomer(desk, idOf(invoice.customer) ?? '');
  desk.store.put('customer', {
    ...customer,
    balance: invoice.ending_balance ?? customer.balance,
    next_invoice_sequence: (customer.next_invoice_sequence ?? 1) + 1,
  });
  desk.emit('invoice.created', invoice);
  desk.emit('invoice.finalized', invoice);
  if (invoice.amount_due === 0) return settleInvoice(desk, invoice, null);
  prepareIntent(desk, invoice);
  return invoice;
}

function prepareIntent(desk: Desk, invoice: Stripe.Invoice): void {
  // An amount below the card minimum is charged as the minimum; Stripe would carry it over to the next invoice.
  const intent = newIntent(desk, {
    amount: Math.max(50, invoice.amount_due),
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: 'Subscription',
    keepFor: 'off_session',
    automatic: null,
  });
  desk.store.put('intent_purpose', { id: intent.id, invoice: invoice.id, session: null });
  desk.store.put('invoice_payment', {
    id: desk.newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: desk.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

/** The payment intent of an invoice; none if nothing was due. */
export function intentOf(desk: Desk, invoice: string): Stripe.PaymentIntent | undefined {
  const [payment] = desk.store.each('invoice_payment', { tag: invoice });
  return payment && desk.store.get('payment_intent', idOf(payment.payment.payment_intent) ?? '');
}

/** Marks it as paid. */
export function settleInvoice(desk: Desk, invoice: Stripe.Invoice, intent: Stripe.PaymentIntent | null): Stripe.Invoice {
  const paid = change(
    desk,
    'invoice',
    invoice,
    {
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: intent ? invoice.attempt_count + 1 : invoice.attempt_count,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: desk.now },
    },
    'invoice.updated',
  );
  const [payment] = desk.store.each('invoice_payment', { tag: invoice.id });
  if (payment) {
    change(
      desk,
      'invoice_payment',
      payment,
      { status: 'paid', amount_paid: invoice.amount_due, status_transitions: { canceled_at: null, paid_at: desk.now } },
      'invoice_payment.paid',
    );
  }
  desk.emit('invoice.paid', paid);
  desk.emit('invoice.payment_succeeded', paid);
  return paid;
}

/** Voids the invoice: it no longer has to be paid. */
export function voidInvoice(desk: Desk, invoice: Stripe.Invoice): Stripe.Invoice {
  const intent = intentOf(desk, invoice.id);
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    change(
      desk,
      'payment_intent',
      intent,
      { status: 'canceled', canceled_at: desk.now, cancellation_reason: 'void_invoice', next_action: null },
      'payment_intent.canceled',
    );
  }
  return change(
    desk,
    'invoice',
    invoice,
    { status: 'void', auto_advance: false, next_payment_attempt: null, status_transitions: { ...invoice.status_transitions, voided_at: desk.now } },
    'invoice.voided',
  );
}

/** The payment method to charge: the subscription's, else the customer's. */
export function methodFor(desk: Desk, subscription: Stripe.Subscription | undefined, customerId: string): Stripe.PaymentMethod | undefined {
  const customer = needCustomer(desk, customerId);
  const id = idOf(subscription?.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method);
  return id === null ? undefined : desk.store.get('payment_method', id);
}

/** Charges the invoice amount to the card. The payment's end reports the outcome. */
export function chargeInvoice(
  desk: Desk,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod,
  { offSession, proven = false, returnUrl = null }: { readonly offSession: boolean; readonly proven?: boolean; readonly returnUrl?: string | null },
): Attempted | null {
  const intent = intentOf(desk, invoice.id);
  if (!intent || invoice.status !== 'open') return null;
  return attempt(desk, intent, { method, offSession, returnUrl, proven });
}

/** Updates the invoice after a failed attempt. */
export function noteFailure(desk: Desk, invoice: Stripe.Invoice, nextAttempt: number | null): Stripe.Invoice {
  const failed = change(
    desk,
    'invoice',
    need(desk, 'invoice', invoice.id),
    { attempted: true, attempt_count: invoice.attempt_count + 1, next_payment_attempt: nextAttempt },
    'invoice.updated',
  );
  desk.emit('invoice.payment_failed', failed);
  return failed;
}
