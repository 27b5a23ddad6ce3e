/** Setup intents: saving a card without a payment. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { ApiError, invalid } from '../server/apiError.ts';
import { pageOf } from '../server/lists.ts';
import { clearable, ignored, LIST, metadata, text, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { asksOwner } from './attempt.ts';
import { attach, cardBehind, METHOD_DATA, methodOf, prove, usable } from './paymentMethods.ts';

const CARD = {
  payment_method: text.optional(),
  payment_method_data: METHOD_DATA.optional(),
  return_url: text.optional(),
};
type Given = {
  readonly payment_method?: string | undefined;
  readonly payment_method_data?: z.infer<typeof METHOD_DATA> | undefined;
  readonly return_url?: string | undefined;
};

function newSetup(
  context: SandboxContext,
  customer: string | null,
  usage: string,
  meta: Stripe.Metadata,
  description: string | null,
): Stripe.SetupIntent {
  const id = context.newId('seti');
  const setup: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    cancellation_reason: null,
    client_secret: `${id}_${context.newId('secret')}`,
    created: context.now,
    customer,
    customer_account: null,
    description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: meta,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage,
  };
  context.store.put('setup_intent', setup);
  context.emit('setup_intent.created', setup);
  return setup;
}

/** Saves the card, authenticated or not challenged. */
export function succeedSetup(
  context: SandboxContext,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  { proven }: { readonly proven: boolean },
): Stripe.SetupIntent {
  if (proven) prove(context, method.id);
  if (typeof setup.customer === 'string') attach(context, method, setup.customer);
  return change(
    context,
    'setup_intent',
    setup,
    { status: 'succeeded', payment_method: method.id, next_action: null, last_setup_error: null },
    'setup_intent.succeeded',
  );
}

/** The cardholder did not authenticate. */
export function failSetup(context: SandboxContext, setup: Stripe.SetupIntent): Stripe.SetupIntent {
  const error = {
    type: 'invalid_request_error' as const,
    code: 'setup_intent_authentication_failure' as const,
    message: 'The latest attempt to set up the payment method has failed because authentication failed.',
  };
  return change(
    context,
    'setup_intent',
    setup,
    { status: 'requires_payment_method', payment_method: null, next_action: null, last_setup_error: error },
    'setup_intent.setup_failed',
  );
}

function confirm(context: SandboxContext, setup: Stripe.SetupIntent, given: Given): Stripe.SetupIntent {
  if (setup.status === 'succeeded' || setup.status === 'canceled')
    throw invalid(
      `This SetupIntent's status is ${setup.status}: it cannot be confirmed.`,
      'setup_intent_unexpected_state',
    );
  const named = given.payment_method ?? (typeof setup.payment_method === 'string' ? setup.payment_method : undefined);
  if (!given.payment_method_data && named === undefined)
    throw invalid(
      'You cannot confirm this SetupIntent because it is missing a payment method.',
      'setup_intent_unexpected_state',
    );
  const method = given.payment_method_data
    ? methodOf(context, given.payment_method_data)
    : usable(context, named ?? '');
  const { card } = cardBehind(context, method.id);
  if (card.refusedAtOnce && card.decline) {
    const error = { type: 'card_error' as const, ...card.decline, payment_method: method };
    const failed = change(
      context,
      'setup_intent',
      setup,
      {
        status: 'requires_payment_method',
        last_setup_error: { ...error, code: card.decline.code as Stripe.SetupIntent.LastSetupError.Code },
      },
      'setup_intent.setup_failed',
    );
    throw new ApiError(402, { ...error, setup_intent: failed }, { kept: true });
  }
  if (!asksOwner(context, method)) return succeedSetup(context, setup, method, { proven: false });
  const url = `${context.url}/challenge/${setup.id}?setup_intent_client_secret=${setup.client_secret ?? ''}`;
  return change(
    context,
    'setup_intent',
    setup,
    {
      status: 'requires_action',
      payment_method: method.id,
      next_action: { type: 'redirect_to_url', redirect_to_url: { url, return_url: given.return_url ?? null } },
    },
    'setup_intent.requires_action',
  );
}

export const SETUP_INTENTS: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/setup_intents',
    params: z.strictObject({
      ...CARD,
      customer: text.optional(),
      usage: z.enum(['off_session', 'on_session']).optional(),
      description: clearable.optional(),
      metadata: metadata.optional(),
      confirm: yesNo.optional(),
      automatic_payment_methods: ignored,
      allowed_payment_method_types: ignored,
      payment_method_options: ignored,
    }),
    run: (context, { customer, usage, description, metadata: meta, confirm: atOnce, ...given }) => {
      if (customer !== undefined) needCustomer(context, customer);
      const setup = newSetup(
        context,
        customer ?? null,
        usage ?? 'off_session',
        mergedMetadata(null, meta),
        description ?? null,
      );
      if (atOnce) return confirm(context, setup, given);
      if (given.payment_method === undefined) return setup;
      return change(
        context,
        'setup_intent',
        setup,
        { payment_method: usable(context, given.payment_method).id, status: 'requires_confirmation' },
        null,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/setup_intents/:id',
    params: z.strictObject({ client_secret: text.optional() }),
    open: true,
    run: (context, _, id) => need(context, 'setup_intent', id),
  }),
  route({
    method: 'GET',
    path: '/v1/setup_intents',
    params: z.strictObject({ ...LIST, customer: text.optional() }),
    run: (context, { customer, ...paging }) =>
      pageOf(context, 'setup_intent', '/v1/setup_intents', paging, { found: { customer } }),
  }),
  route({
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    params: z.strictObject({ ...CARD, client_secret: text.optional(), mandate_data: ignored, use_stripe_sdk: ignored }),
    open: true,
    run: (context, given, id) => confirm(context, need(context, 'setup_intent', id), given),
  }),
  route({
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    params: z.strictObject({ cancellation_reason: ignored }),
    run: (context, _, id) => {
      const setup = need(context, 'setup_intent', id);
      if (setup.status === 'succeeded' || setup.status === 'canceled')
        throw invalid(
          `You cannot cancel this SetupIntent because it has a status of ${setup.status}.`,
          'setup_intent_unexpected_state',
        );
      return change(context, 'setup_intent', setup, { status: 'canceled', next_action: null }, 'setup_intent.canceled');
    },
  }),
];
