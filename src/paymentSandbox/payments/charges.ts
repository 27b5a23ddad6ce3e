/** Charges: one per attempt to charge a card. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { need, type SandboxContext } from '../books/context.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { LIST, text, time } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import type { Decline } from './cards.ts';

function outcomeOf(decline: Decline | null): Stripe.Charge.Outcome {
  const plain = { advice_code: null, network_advice_code: null, risk_level: 'normal', risk_score: 20 };
  if (!decline)
    return {
      ...plain,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  return {
    ...plain,
    network_decline_code: '05',
    network_status: 'declined_by_network',
    reason: decline.decline_code ?? decline.code,
    seller_message: 'The bank did not return any further details with this decline.',
    type: 'issuer_declined',
  };
}

function cardDetails(
  method: Stripe.PaymentMethod,
  amount: number,
  proven: boolean,
): Stripe.Charge.PaymentMethodDetails {
  const { card } = method;
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand: card?.brand ?? null,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: proven ? '05' : null,
      exp_month: card?.exp_month ?? 12,
      exp_year: card?.exp_year ?? 2_030,
      fingerprint: card?.fingerprint ?? null,
      funding: card?.funding ?? null,
      installments: null,
      last4: card?.last4 ?? null,
      mandate: null,
      network: card?.brand ?? null,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}

type ChargeInput = {
  readonly intent: Stripe.PaymentIntent;
  readonly method: Stripe.PaymentMethod;
  readonly decline: Decline | null;
  readonly proven: boolean;
};

/** Records the attempt and emits its outcome. */
export function writeCharge(context: SandboxContext, { intent, method, decline, proven }: ChargeInput): Stripe.Charge {
  const paid = decline === null;
  const id = context.newId('ch');
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? context.newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: paid,
    created: context.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: cardDetails(method, intent.amount, proven),
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: paid ? `${context.url}/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  context.store.put('charge', charge);
  context.emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

export const CHARGES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/charges/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'charge', id),
  }),
  route({
    method: 'GET',
    path: '/v1/charges',
    params: z.strictObject({
      ...LIST,
      customer: text.optional(),
      payment_intent: text.optional(),
      created: time.optional(),
    }),
    run: (context, { customer, payment_intent, created, ...paging }) =>
      pageOf(context, 'charge', '/v1/charges', paging, {
        found: { customer, tag: payment_intent },
        fits: (charge) => isAt(charge.created, created),
      }),
  }),
];
