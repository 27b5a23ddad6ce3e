/** Completing a checkout: creates a payment or a subscription, and updates the session with the outcome. */
import type Stripe from 'stripe';
import { chargeInvoice, intentOf } from '../billing/invoicing.ts';
import { startSubscription } from '../billing/startSubscription.ts';
import { change, need, needCustomer, type SandboxContext } from '../books/context.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { attempt } from '../payments/attempt.ts';
import { redeem } from '../payments/coupons.ts';
import { makeCustomer } from '../payments/customers.ts';
import { newIntent } from '../payments/paymentIntents.ts';
import { attach } from '../payments/paymentMethods.ts';
import { ApiError } from '../server/apiError.ts';

const DAY = 86_400;

export type Payer = {
  readonly method: Stripe.PaymentMethod;
  readonly proven: boolean;
  readonly discounts: readonly DiscountChoice[];
};

type Made = Pick<Stripe.Checkout.Session, 'invoice' | 'payment_intent' | 'payment_status' | 'subscription'>;

function paidOnce(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  customer: string,
  { method, proven, discounts }: Payer,
): Made {
  for (const choice of discounts) redeem(context, choice);
  const amount = session.amount_total ?? 0;
  if (amount === 0)
    return { invoice: null, payment_intent: null, payment_status: 'no_payment_required', subscription: null };
  const plan = need(context, 'session_plan', session.id);
  const intent = newIntent(context, {
    amount,
    currency: session.currency ?? 'usd',
    customer,
    metadata: plan.intentMetadata,
    keepFor: plan.keepFor,
    automatic: { enabled: true, allow_redirects: 'always' },
  });
  context.store.put('intent_purpose', { id: intent.id, invoice: null, session: session.id });
  const { intent: tried, refused } = attempt(context, intent, { method, offSession: false, returnUrl: null, proven });
  if (refused) throw new ApiError(402, refused);
  return {
    invoice: null,
    payment_intent: intent.id,
    payment_status: tried.status === 'succeeded' ? 'paid' : 'unpaid',
    subscription: null,
  };
}

function subscribed(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  customer: string,
  { method, proven, discounts }: Payer,
): Made {
  const plan = need(context, 'session_plan', session.id);
  attach(context, method, customer);
  const subscription = startSubscription(context, {
    customer,
    items: plan.items,
    trialEnd: plan.trialDays > 0 ? context.now + plan.trialDays * DAY : null,
    discounts,
    metadata: plan.subscriptionMetadata,
    method: method.id,
    behavior: 'default_incomplete',
    offSession: false,
    session: session.id,
  });
  const invoice = need(context, 'invoice', idOf(subscription.latest_invoice) ?? '');
  const intent = intentOf(context, invoice.id);
  if (intent) context.store.put('intent_purpose', { id: intent.id, invoice: invoice.id, session: session.id });
  const tried = chargeInvoice(context, invoice, method, { offSession: false, proven });
  if (tried?.refused) throw new ApiError(402, tried.refused);
  const isPaid = need(context, 'invoice', invoice.id).status === 'paid';
  return {
    invoice: invoice.id,
    payment_intent: null,
    payment_status: isPaid ? 'paid' : 'unpaid',
    subscription: subscription.id,
  };
}

/** @throws ApiError when the card is declined; then nothing was changed */
export function completeSession(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  payer: Payer,
): Stripe.Checkout.Session {
  const { email, name, address, phone } = payer.method.billing_details;
  const customer = needCustomer(
    context,
    idOf(session.customer) ?? makeCustomer(context, { email: session.customer_email ?? email, name }).id,
  );
  const made =
    session.mode === 'payment'
      ? paidOnce(context, session, customer.id, payer)
      : subscribed(context, session, customer.id, payer);
  return change(
    context,
    'checkout_session',
    session,
    {
      ...made,
      status: 'complete',
      url: null,
      customer: customer.id,
      customer_details: {
        address,
        business_name: null,
        email: customer.email ?? email,
        individual_name: null,
        name,
        phone,
        tax_exempt: 'none',
        tax_ids: [],
      },
    },
    'checkout.session.completed',
  );
}

/** A processing payment ended: updates its session. */
export function settledSession(context: SandboxContext, intent: Stripe.PaymentIntent): void {
  const purpose = context.store.get('intent_purpose', intent.id);
  const session = purpose?.session ? context.store.get('checkout_session', purpose.session) : undefined;
  if (session?.status !== 'complete' || session.payment_status !== 'unpaid') return;
  if (intent.status === 'succeeded')
    change(
      context,
      'checkout_session',
      session,
      { payment_status: 'paid' },
      'checkout.session.async_payment_succeeded',
    );
  else context.emit('checkout.session.async_payment_failed', session);
}
