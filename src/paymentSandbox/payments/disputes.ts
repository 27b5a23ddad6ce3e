/** Disputes: the money is withdrawn while they are open, and not returned if they are lost. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { ignored, LIST, metadata, text, time, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';

const DAY = 86_400;
const DAYS_TO_ANSWER = 7;

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** @throws ApiError when there is nothing left to dispute */
export function openDispute(context: SandboxContext, charge: Stripe.Charge, reason = 'fraudulent'): Stripe.Dispute {
  if (!charge.paid || charge.disputed) throw invalid(`Charge ${charge.id} cannot be disputed.`, undefined, 'charge');
  const dispute: Stripe.Dispute = {
    id: context.newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: context.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: context.now + DAYS_TO_ANSWER * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', network: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
    },
    reason,
    status: 'needs_response',
  };
  change(context, 'charge', need(context, 'charge', charge.id), { disputed: true }, 'charge.updated');
  context.store.put('dispute', dispute);
  context.emit('charge.dispute.created', dispute);
  context.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes it. @throws ApiError when it is already closed */
export function closeDispute(context: SandboxContext, dispute: Stripe.Dispute, status: 'lost' | 'won'): Stripe.Dispute {
  if (dispute.status === 'won' || dispute.status === 'lost') throw invalid('This dispute is already closed');
  const closed = change(
    context,
    'dispute',
    dispute,
    { status, is_charge_refundable: status === 'won' },
    'charge.dispute.closed',
  );
  if (status === 'won') context.emit('charge.dispute.funds_reinstated', closed);
  return closed;
}

export const DISPUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/disputes/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'dispute', id),
  }),
  route({
    method: 'GET',
    path: '/v1/disputes',
    params: z.strictObject({
      ...LIST,
      charge: text.optional(),
      payment_intent: text.optional(),
      created: time.optional(),
    }),
    run: (context, { charge, payment_intent, created, ...paging }) =>
      pageOf(context, 'dispute', '/v1/disputes', paging, {
        found: { tag: charge },
        fits: (dispute) =>
          isAt(dispute.created, created) && (payment_intent === undefined || dispute.payment_intent === payment_intent),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/disputes/:id',
    params: z.strictObject({
      evidence: z.looseObject({ uncategorized_text: text.optional() }).optional(),
      metadata: metadata.optional(),
      submit: yesNo.optional(),
      reason: ignored,
    }),
    run: (context, { evidence, metadata: meta, submit }, id) => {
      const dispute = need(context, 'dispute', id);
      const written = evidence?.uncategorized_text;
      const changed = change(
        context,
        'dispute',
        dispute,
        {
          metadata: mergedMetadata(dispute.metadata, meta),
          ...(written === undefined ? {} : { evidence: { ...dispute.evidence, uncategorized_text: written } }),
        },
        'charge.dispute.updated',
      );
      // Stripe's test values decide the outcome.
      if (submit !== false && written === 'winning_evidence') return closeDispute(context, changed, 'won');
      if (submit !== false && written === 'losing_evidence') return closeDispute(context, changed, 'lost');
      return changed;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: z.strictObject({}),
    run: (context, _, id) => closeDispute(context, need(context, 'dispute', id), 'lost'),
  }),
];
