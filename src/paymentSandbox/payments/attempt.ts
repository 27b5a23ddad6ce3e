/** Charging a card: it succeeds, is declined, requires authentication, or is processing. */
import type Stripe from 'stripe';
import { change, type Desk, need } from '../books/desk.ts';
import { ApiError, type ErrorDetails } from '../server/apiError.ts';
import { type Decline, UNPROVEN } from './cards.ts';
import { writeCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { attach, cardBehind, prove } from './paymentMethods.ts';

const SLOW_REFUSAL: Decline = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };

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
export function asksOwner(desk: Desk, method: Stripe.PaymentMethod): boolean {
  const { card, proven } = cardBehind(desk, method.id);
  return card.challenge === 'always' || (card.challenge === 'until_proven' && !proven);
}

/** Attempts the payment once. The outcome is stored and emitted; a decline is returned, not thrown. */
export function attempt(desk: Desk, intent: Stripe.PaymentIntent, { method, offSession, returnUrl, proven = false }: Attempt): Attempted {
  const { card } = cardBehind(desk, method.id);
  if (!proven && asksOwner(desk, method)) {
    if (offSession) return declined(desk, intent, method, UNPROVEN);
    return { intent: challenge(desk, intent, method, returnUrl), refused: null };
  }
  if (proven) prove(desk, method.id);
  if (card.decline) return declined(desk, intent, method, card.decline);
  if (card.slow) {
    desk.store.put('slow_payment', { id: intent.id, due: desk.now + PROCESSING_SECONDS });
    const waiting = { status: 'processing' as const, payment_method: method.id, next_action: null, last_payment_error: null };
    return { intent: change(desk, 'payment_intent', intent, waiting, 'payment_intent.processing'), refused: null };
  }
  return { intent: succeed(desk, intent, method, proven), refused: null };
}

function challenge(desk: Desk, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, returnUrl: string | null): Stripe.PaymentIntent {
  const url = `${desk.url}/challenge/${intent.id}?payment_intent_client_secret=${intent.client_secret ?? ''}`;
  return change(
    desk,
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
export function succeed(desk: Desk, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, proven = false): Stripe.PaymentIntent {
  const charge = writeCharge(desk, { intent, method, decline: null, proven });
  if (intent.setup_future_usage !== null && typeof intent.customer === 'string') attach(desk, need(desk, 'payment_method', method.id), intent.customer);
  const paid = change(
    desk,
    'payment_intent',
    intent,
    { status: 'succeeded', amount_received: intent.amount, latest_charge: charge.id, payment_method: method.id, next_action: null, last_payment_error: null },
    'payment_intent.succeeded',
  );
  desk.settled(paid);
  if (cardBehind(desk, method.id).card.disputed) openDispute(desk, charge);
  return paid;
}

/** Ends a processing payment. */
export function finishSlow(desk: Desk, id: string, outcome: 'fail' | 'succeed' = 'succeed'): void {
  desk.store.remove('slow_payment', id);
  const intent = need(desk, 'payment_intent', id);
  if (intent.status !== 'processing' || typeof intent.payment_method !== 'string') return;
  const method = need(desk, 'payment_method', intent.payment_method);
  if (outcome === 'succeed') succeed(desk, intent, method);
  else declined(desk, intent, method, SLOW_REFUSAL);
}

/** The card was declined: the payment waits for another. */
export function declined(desk: Desk, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, decline: Decline): Attempted {
  const charge = writeCharge(desk, { intent, method, decline, proven: false });
  const error = { type: 'card_error' as const, ...decline, charge: charge.id, payment_method: method };
  const failed = change(
    desk,
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
  desk.settled(failed);
  return { intent: failed, refused: { ...error, payment_intent: failed } };
}

/** The cardholder did not authenticate. */
export function notProven(desk: Desk, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const method = typeof intent.payment_method === 'string' ? desk.store.get('payment_method', intent.payment_method) : undefined;
  const failed = change(
    desk,
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
  desk.settled(failed);
  return failed;
}

/** A refusal as an error that keeps what was written. */
export function refusalOf(refused: ErrorDetails): ApiError {
  return new ApiError(402, refused, { kept: true });
}
