/** From lines to a paid invoice: creating it, charging it, and handling the payment's outcome. */
import type Stripe from 'stripe';
import { change, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { type Attempted, attempt } from '../payments/attempt.ts';
import { newIntent } from '../payments/paymentIntents.ts';
import { type InvoiceDraft, invoiceObject } from './invoiceObject.ts';

/** Writes the invoice with its pending lines, and a payment intent if something is due. */
export function writeInvoice(context: SandboxContext, draft: Omit<InvoiceDraft, 'id' | 'pending'>): Stripe.Invoice {
  const waiting = [...context.store.each('pending_line', { tag: draft.subscription.id, oldestFirst: true })];
  const invoice = invoiceObject(context, {
    ...draft,
    id: context.newId('in'),
    pending: waiting.map(({ line }) => line),
  });
  for (const { id } of waiting) context.store.remove('pending_line', id);
  context.store.put('invoice', invoice);
  const customer = needCustomer(context, idOf(invoice.customer) ?? '');
  context.store.put('customer', {
    ...customer,
    balance: invoice.ending_balance ?? customer.balance,
    next_invoice_sequence: (customer.next_invoice_sequence ?? 1) + 1,
  });
  context.emit('invoice.created', invoice);
  context.emit('invoice.finalized', invoice);
  if (invoice.amount_due === 0) return settleInvoice(context, invoice, null);
  prepareIntent(context, invoice);
  return invoice;
}

function prepareIntent(context: SandboxContext, invoice: Stripe.Invoice): void {
  // An amount below the card minimum is charged as the minimum; Stripe would carry it over to the next invoice.
  const intent = newIntent(context, {
    amount: Math.max(50, invoice.amount_due),
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: 'Subscription',
    keepFor: 'off_session',
    automatic: null,
  });
  context.store.put('intent_purpose', { id: intent.id, invoice: invoice.id, session: null });
  context.store.put('invoice_payment', {
    id: context.newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: context.now,
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
export function intentOf(context: SandboxContext, invoice: string): Stripe.PaymentIntent | undefined {
  const [payment] = context.store.each('invoice_payment', { tag: invoice });
  return payment && context.store.get('payment_intent', idOf(payment.payment.payment_intent) ?? '');
}

/** Marks it as paid. */
export function settleInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): Stripe.Invoice {
  const paid = change(
    context,
    'invoice',
    invoice,
    {
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: intent ? invoice.attempt_count + 1 : invoice.attempt_count,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: context.now },
    },
    'invoice.updated',
  );
  const [payment] = context.store.each('invoice_payment', { tag: invoice.id });
  if (payment) {
    change(
      context,
      'invoice_payment',
      payment,
      {
        status: 'paid',
        amount_paid: invoice.amount_due,
        status_transitions: { canceled_at: null, paid_at: context.now },
      },
      'invoice_payment.paid',
    );
  }
  context.emit('invoice.paid', paid);
  context.emit('invoice.payment_succeeded', paid);
  return paid;
}

/** Voids the invoice: it no longer has to be paid. */
export function voidInvoice(context: SandboxContext, invoice: Stripe.Invoice): Stripe.Invoice {
  const intent = intentOf(context, invoice.id);
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    change(
      context,
      'payment_intent',
      intent,
      { status: 'canceled', canceled_at: context.now, cancellation_reason: 'void_invoice', next_action: null },
      'payment_intent.canceled',
    );
  }
  return change(
    context,
    'invoice',
    invoice,
    {
      status: 'void',
      auto_advance: false,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, voided_at: context.now },
    },
    'invoice.voided',
  );
}

/** The payment method to charge: the subscription's, else the customer's. */
export function methodFor(
  context: SandboxContext,
  subscription: Stripe.Subscription | undefined,
  customerId: string,
): Stripe.PaymentMethod | undefined {
  const customer = needCustomer(context, customerId);
  const id = idOf(subscription?.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method);
  return id === null ? undefined : context.store.get('payment_method', id);
}

/** Charges the invoice amount to the card. The payment's end reports the outcome. */
export function chargeInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod,
  {
    offSession,
    proven = false,
    returnUrl = null,
  }: { readonly offSession: boolean; readonly proven?: boolean; readonly returnUrl?: string | null },
): Attempted | null {
  const intent = intentOf(context, invoice.id);
  if (!intent || invoice.status !== 'open') return null;
  return attempt(context, intent, { method, offSession, returnUrl, proven });
}

/** Updates the invoice after a failed attempt. */
export function noteFailure(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  nextAttempt: number | null,
): Stripe.Invoice {
  const failed = change(
    context,
    'invoice',
    need(context, 'invoice', invoice.id),
    { attempted: true, attempt_count: invoice.attempt_count + 1, next_payment_attempt: nextAttempt },
    'invoice.updated',
  );
  context.emit('invoice.payment_failed', failed);
  return failed;
}
