/** 3-D Secure: cardholder authentication on their bank's page, played by the sandbox. */
import type Stripe from 'stripe';
import { type Desk, need } from '../books/desk.ts';
import { invalid } from '../server/apiError.ts';
import { attempt, notProven } from './attempt.ts';
import { failSetup, succeedSetup } from './setupIntents.ts';

export type Challenged = Stripe.PaymentIntent | Stripe.SetupIntent;

/** The intent that waits for authentication. @throws ApiError when it does not */
export function challengedIntent(desk: Desk, id: string): Challenged {
  const intent = id.startsWith('seti_') ? need(desk, 'setup_intent', id, 'intent') : need(desk, 'payment_intent', id, 'intent');
  if (intent.status !== 'requires_action') throw invalid('Nobody is asked to prove this payment.', 'payment_intent_unexpected_state', 'intent');
  return intent;
}

/** The cardholder accepted or refused. An authenticated card may still be declined. */
export function answerChallenge(desk: Desk, id: string, outcome: 'fail' | 'succeed'): Challenged {
  const intent = challengedIntent(desk, id);
  if (outcome === 'fail') return intent.object === 'setup_intent' ? failSetup(desk, intent) : notProven(desk, intent);
  const method = need(desk, 'payment_method', typeof intent.payment_method === 'string' ? intent.payment_method : '', 'payment_method');
  if (intent.object === 'setup_intent') return succeedSetup(desk, intent, method, { proven: true });
  return attempt(desk, intent, { method, offSession: false, returnUrl: null, proven: true }).intent;
}
