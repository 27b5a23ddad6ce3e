/** Refunds, full and partial. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { ignored, LIST, metadata, text, time, whole } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';

const dollars = (amount: number): string => `$${(amount / 100).toFixed(2)}`;

function chargeToRefund(
  context: SandboxContext,
  charge: string | undefined,
  intent: string | undefined,
): Stripe.Charge {
  if (charge !== undefined) return need(context, 'charge', charge, 'charge');
  if (intent === undefined)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.');
  const latest = idOf(need(context, 'payment_intent', intent, 'payment_intent').latest_charge);
  if (latest === null)
    throw invalid(
      `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
      undefined,
      'payment_intent',
    );
  return need(context, 'charge', latest, 'charge');
}

type RefundRequest = {
  readonly amount?: number | undefined;
  readonly reason?: Stripe.Refund.Reason | undefined;
  readonly metadata?: Stripe.Metadata;
};

/** @throws ApiError when less than that remains */
export function refund(
  context: SandboxContext,
  charge: Stripe.Charge,
  { amount, reason, metadata: meta = {} }: RefundRequest,
): Stripe.Refund {
  const left = charge.amount - charge.amount_refunded;
  if (!charge.paid) throw invalid(`Charge ${charge.id} was not paid and cannot be refunded.`, undefined, 'charge');
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (charge.disputed)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  const back = amount ?? left;
  if (back < 1) throw invalid('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  if (back > left)
    throw invalid(
      `Refund amount (${dollars(back)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      undefined,
      'amount',
    );
  const made: Stripe.Refund = {
    id: context.newId('re'),
    object: 'refund',
    amount: back,
    balance_transaction: context.newId('txn'),
    charge: charge.id,
    created: context.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    },
    metadata: meta,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  context.store.put('refund', made);
  context.emit('refund.created', made);
  change(
    context,
    'charge',
    charge,
    { amount_refunded: charge.amount_refunded + back, refunded: back === left },
    'charge.refunded',
  );
  return made;
}

export const REFUNDS: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/refunds',
    params: z.strictObject({
      amount: whole.optional(),
      charge: text.optional(),
      payment_intent: text.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: metadata.optional(),
      instructions_email: ignored,
    }),
    run: (context, { charge, payment_intent, amount, reason, metadata: meta }) =>
      refund(context, chargeToRefund(context, charge, payment_intent), {
        amount,
        reason,
        metadata: mergedMetadata(null, meta),
      }),
  }),
  route({
    method: 'GET',
    path: '/v1/refunds/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'refund', id),
  }),
  route({
    method: 'POST',
    path: '/v1/refunds/:id',
    params: z.strictObject({ metadata: metadata.optional() }),
    run: (context, { metadata: meta }, id) => {
      const made = need(context, 'refund', id);
      return change(context, 'refund', made, { metadata: mergedMetadata(made.metadata, meta) }, 'refund.updated');
    },
  }),
  route({
    method: 'GET',
    path: '/v1/refunds',
    params: z.strictObject({
      ...LIST,
      charge: text.optional(),
      payment_intent: text.optional(),
      created: time.optional(),
    }),
    run: (context, { charge, payment_intent, created, ...paging }) =>
      pageOf(context, 'refund', '/v1/refunds', paging, {
        found: { tag: charge },
        fits: (each) =>
          isAt(each.created, created) && (payment_intent === undefined || each.payment_intent === payment_intent),
      }),
  }),
];
