/** Invoices: retrieved, paid manually, voided, and previewed. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { need, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { refusalOf } from '../payments/attempt.ts';
import { usable } from '../payments/paymentMethods.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { ignored, LIST, listOf, text, time, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { planChange, requestedItems } from './changePlan.ts';
import { invoiceObject } from './invoiceObject.ts';
import { chargeInvoice, methodFor } from './invoicing.ts';
import { itemList, periodOf } from './items.ts';
import { giveUpInvoice } from './lifecycle.ts';
import { cycleLines } from './lines.ts';
import { endOfPeriod } from './periods.ts';
import { ITEM, PRORATION } from './subscriptions.ts';

const PREVIEW = z.strictObject({
  customer: text.optional(),
  subscription: text,
  subscription_details: z
    .strictObject({
      items: z.array(ITEM).optional(),
      proration_behavior: PRORATION.optional(),
      proration_date: whole.optional(),
      cancel_at_period_end: yesNo.optional(),
    })
    .optional(),
  discounts: listOf(ignored).optional(),
  automatic_tax: ignored,
});

/** Previews the next invoice, with a change applied if one is given. Writes nothing. */
function preview(
  context: SandboxContext,
  { subscription: id, subscription_details: details = {} }: z.infer<typeof PREVIEW>,
): Stripe.Invoice {
  const subscription = need(context, 'subscription', id, 'subscription');
  const requested = details.items ? requestedItems(context, subscription, details.items) : subscription.items.data;
  const proration = details.proration_behavior ?? 'create_prorations';
  const { items, lines, newPeriod } = planChange(
    context,
    subscription,
    requested,
    proration,
    details.proration_date ?? context.now,
  );
  const { end } = periodOf(subscription);
  const price = items[0]?.price;
  const next = price
    ? { start: end, end: endOfPeriod(subscription.billing_cycle_anchor, end, price) }
    : { start: end, end };
  const isNow = details.items !== undefined && (proration === 'always_invoice' || newPeriod !== null);
  const cycle = isNow || details.cancel_at_period_end ? [] : cycleLines(context, items, next);
  return invoiceObject(context, {
    id: context.newId('upcoming_in'),
    subscription: { ...subscription, items: itemList(id, items) },
    reason: 'upcoming',
    lines: [...lines, ...cycle],
    pending: [...context.store.each('pending_line', { tag: id, oldestFirst: true })].map(({ line }) => line),
    discounts: isNow && newPeriod === null ? [] : subscription.discounts.map((each) => idOf(each) ?? ''),
  });
}

const PAY = z.strictObject({ payment_method: text.optional(), off_session: yesNo.optional(), forgive: ignored });

type Payer = {
  readonly payment_method?: string | undefined;
  readonly offSession: boolean;
  readonly returnUrl?: string | undefined;
};

/**
 * Charges the card, which may require authentication; null: nothing was due. @throws ApiError when the invoice is not
 * open, has no payment method, or the card is declined
 */
export function chargeOpenInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  { payment_method, offSession, returnUrl }: Payer,
): Stripe.PaymentIntent | null {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', 'invoice_already_paid');
  if (invoice.status !== 'open')
    throw invalid(`This invoice is ${invoice.status ?? 'no longer open'} and cannot be paid.`, 'invoice_not_editable');
  const subscription = context.store.get(
    'subscription',
    idOf(invoice.parent?.subscription_details?.subscription) ?? '',
  );
  const method =
    payment_method === undefined
      ? methodFor(context, subscription, idOf(invoice.customer) ?? '')
      : usable(context, payment_method);
  if (!method)
    throw invalid(
      'There is no `default_payment_method` set on this Customer, Subscription or Invoice.',
      'resource_missing',
    );
  const tried = chargeInvoice(context, invoice, method, { offSession, returnUrl: returnUrl ?? null });
  if (tried?.refused) throw refusalOf(tried.refused);
  return tried?.intent ?? null;
}

/** @throws ApiError as above, and when the card requires authentication */
function payInvoice(
  context: SandboxContext,
  invoice: Stripe.Invoice,
  { payment_method, off_session }: z.infer<typeof PAY>,
): Stripe.Invoice {
  const intent = chargeOpenInvoice(context, invoice, { payment_method, offSession: off_session ?? true });
  if (intent?.status === 'requires_action') {
    throw refusalOf({
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'Payment for this invoice requires additional user action before it can be completed successfully.',
    });
  }
  return need(context, 'invoice', invoice.id);
}

export const INVOICES: readonly Route[] = [
  route({ method: 'POST', path: '/v1/invoices/create_preview', params: PREVIEW, run: preview }),
  route({
    method: 'GET',
    path: '/v1/invoices/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'invoice', id),
  }),
  route({
    method: 'GET',
    path: '/v1/invoices',
    params: z.strictObject({
      ...LIST,
      customer: text.optional(),
      subscription: text.optional(),
      status: text.optional(),
      created: time.optional(),
    }),
    run: (context, { customer, subscription, status, created, ...paging }) =>
      pageOf(context, 'invoice', '/v1/invoices', paging, {
        found: { customer, tag: subscription },
        fits: (each) => isAt(each.created, created) && (status === undefined || each.status === status),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    params: PAY,
    run: (context, given, id) => payInvoice(context, need(context, 'invoice', id), given),
  }),
  route({
    method: 'POST',
    path: '/v1/invoices/:id/void',
    params: z.strictObject({}),
    run: (context, _, id) => {
      const invoice = need(context, 'invoice', id);
      if (invoice.status !== 'open')
        throw invalid('You can only void an open or uncollectible invoice.', 'invoice_not_editable');
      return giveUpInvoice(context, invoice);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/invoice_payments',
    params: z.strictObject({
      ...LIST,
      invoice: text.optional(),
      status: text.optional(),
      payment: z.looseObject({ payment_intent: text.optional() }).optional(),
    }),
    run: (context, { invoice, status, payment, ...paging }) =>
      pageOf(context, 'invoice_payment', '/v1/invoice_payments', paging, {
        found: { tag: invoice },
        fits: (each) =>
          (status === undefined || each.status === status) &&
          (payment?.payment_intent === undefined || idOf(each.payment.payment_intent) === payment.payment_intent),
      }),
  }),
];
