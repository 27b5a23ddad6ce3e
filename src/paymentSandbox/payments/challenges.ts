/** 3-D Secure: cardholder authentication on their bank's page, played by the sandbox. */
import type Stripe from 'stripe';
import { need, type SandboxContext } from '../books/context.ts';
import { invalid } from '../server/apiError.ts';
import { attempt, notProven } from './attempt.ts';
import { failSetup, succeedSetup } from './setupIntents.ts';

export type Challenged = Stripe.PaymentIntent | Stripe.SetupIntent;

/** The intent that waits for authentication. @throws ApiError when it does not */
export function challengedIntent(context: SandboxContext, id: string): Challenged {
  const intent = id.startsWith('seti_')
    ? need(context, 'setup_intent', id, 'intent')
    : need(context, 'payment_intent', id, 'intent');
  if (intent.status !== 'requires_action')
    throw invalid('Nobody is asked to prove this payment.', 'payment_intent_unexpected_state', 'intent');
  return intent;
}

/** The cardholder accepted or refused. An authenticated card may still be declined. */
export function answerChallenge(context: SandboxContext, id: string, outcome: 'fail' | 'succeed'): Challenged {
  const intent = challengedIntent(context, id);
  if (outcome === 'fail')
    return intent.object === 'setup_intent' ? failSetup(context, intent) : notProven(context, intent);
  const method = need(
    context,
    'payment_method',
    typeof intent.payment_method === 'string' ? intent.payment_method : '',
    'payment_method',
  );
  if (intent.object === 'setup_intent') return succeedSetup(context, intent, method, { proven: true });
  return attempt(context, intent, { method, offSession: false, returnUrl: null, proven: true }).intent;
}
