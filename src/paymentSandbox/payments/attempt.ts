/** Charging a card: it succeeds, is declined, requires authentication, or is processing. */
import type Stripe from 'stripe';
import { change, need, type SandboxContext } from '../books/context.ts';
import { ApiError, type ErrorDetails } from '../server/apiError.ts';
import { type Decline, UNPROVEN } from './cards.ts';
import { writeCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { attach, cardBehind, prove } from './paymentMethods.ts';

const SLOW_REFUSAL: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

/** How long a processing payment takes. */
export const PROCESSING_SECONDS = 30;

export type Attempt = {
  readonly method: Stripe.PaymentMethod;
  /** The cardholder is not present to authenticate. */
  readonly offSession: boolean;
  readonly returnUrl: string | null;
  /** The cardholder has just authenticated. */
  readonly proven?: boolean;
};

export type Attempted = { readonly intent: Stripe.PaymentIntent; readonly refused: ErrorDetails | null };

/** Whether the cardholder has to authenticate first. */
export function asksOwner(context: SandboxContext, method: Stripe.PaymentMethod): boolean {
  const { card, proven } = cardBehind(context, method.id);
  return card.challenge === 'always' || (card.challenge === 'until_proven' && !proven);
}

/** Attempts the payment once. The outcome is stored and emitted; a decline is returned, not thrown. */
export function attempt(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  { method, offSession, returnUrl, proven = false }: Attempt,
): Attempted {
  const { card } = cardBehind(context, method.id);
  if (!proven && asksOwner(context, method)) {
    if (offSession) return declined(context, intent, method, UNPROVEN);
    return { intent: challenge(context, intent, method, returnUrl), refused: null };
  }
  if (proven) prove(context, method.id);
  if (card.decline) return declined(context, intent, method, card.decline);
  if (card.slow) {
    context.store.put('slow_payment', { id: intent.id, due: context.now + PROCESSING_SECONDS });
    const waiting = {
      status: 'processing' as const,
      payment_method: method.id,
      next_action: null,
      last_payment_error: null,
    };
    return { intent: change(context, 'payment_intent', intent, waiting, 'payment_intent.processing'), refused: null };
  }
  return { intent: succeed(context, intent, method, proven), refused: null };
}

function challenge(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  returnUrl: string | null,
): Stripe.PaymentIntent {
  const url = `${context.url}/challenge/${intent.id}?payment_intent_client_secret=${intent.client_secret ?? ''}`;
  return change(
    context,
    'payment_intent',
    intent,
    {
      status: 'requires_action',
      payment_method: method.id,
      last_payment_error: null,
      next_action: { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } },
    },
    'payment_intent.requires_action',
  );
}

/** Completes the payment. */
export function succeed(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  proven = false,
): Stripe.PaymentIntent {
  const charge = writeCharge(context, { intent, method, decline: null, proven });
  if (intent.setup_future_usage !== null && typeof intent.customer === 'string')
    attach(context, need(context, 'payment_method', method.id), intent.customer);
  const paid = change(
    context,
    'payment_intent',
    intent,
    {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: charge.id,
      payment_method: method.id,
      next_action: null,
      last_payment_error: null,
    },
    'payment_intent.succeeded',
  );
  context.settled(paid);
  if (cardBehind(context, method.id).card.disputed) openDispute(context, charge);
  return paid;
}

/** Ends a processing payment. */
export function finishSlow(context: SandboxContext, id: string, outcome: 'fail' | 'succeed' = 'succeed'): void {
  context.store.remove('slow_payment', id);
  const intent = need(context, 'payment_intent', id);
  if (intent.status !== 'processing' || typeof intent.payment_method !== 'string') return;
  const method = need(context, 'payment_method', intent.payment_method);
  if (outcome === 'succeed') succeed(context, intent, method);
  else declined(context, intent, method, SLOW_REFUSAL);
}

/** The card was declined: the payment waits for another. */
export function declined(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Attempted {
  const charge = writeCharge(context, { intent, method, decline, proven: false });
  const error = { type: 'card_error' as const, ...decline, charge: charge.id, payment_method: method };
  const failed = change(
    context,
    'payment_intent',
    intent,
    {
      status: 'requires_payment_method',
      payment_method: null,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: { ...error, code: decline.code as Stripe.PaymentIntent.LastPaymentError.Code },
    },
    'payment_intent.payment_failed',
  );
  context.settled(failed);
  return { intent: failed, refused: { ...error, payment_intent: failed } };
}

/** The cardholder did not authenticate. */
export function notProven(context: SandboxContext, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const method =
    typeof intent.payment_method === 'string' ? context.store.get('payment_method', intent.payment_method) : undefined;
  const failed = change(
    context,
    'payment_intent',
    intent,
    {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
        ...(method ? { payment_method: method } : {}),
      },
    },
    'payment_intent.payment_failed',
  );
  context.settled(failed);
  return failed;
}

/** A refusal as an error that keeps what was written. */
export function refusalOf(refused: ErrorDetails): ApiError {
  return new ApiError(402, refused, { kept: true });
}
