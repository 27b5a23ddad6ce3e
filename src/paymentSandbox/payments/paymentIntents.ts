/** Payment intents: created, paid, canceled. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { clearable, ignored, LIST, listOf, metadata, text, time, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { attempt, refusalOf } from './attempt.ts';
import { METHOD_DATA, methodOf, usable } from './paymentMethods.ts';

const LEAST = 50;
const USAGE = z.enum(['off_session', 'on_session']);

const FIELDS = {
  customer: text.optional(),
  description: clearable.optional(),
  receipt_email: clearable.optional(),
  setup_future_usage: z.union([z.literal('').transform(() => null), USAGE]).optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  payment_method_data: METHOD_DATA.optional(),
  payment_method_options: ignored,
  shipping: ignored,
  statement_descriptor: ignored,
  statement_descriptor_suffix: ignored,
  excluded_payment_method_types: ignored,
};

const CONFIRM = {
  off_session: yesNo.optional(),
  return_url: text.optional(),
  error_on_requires_action: yesNo.optional(),
  mandate_data: ignored,
  use_stripe_sdk: ignored,
};

const TYPES = z.array(z.literal('card'));
const AUTOMATIC = z.strictObject({ enabled: yesNo, allow_redirects: z.enum(['always', 'never']).optional() });

export type NewIntent = {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description?: string | null | undefined;
  readonly receiptEmail?: string | null | undefined;
  readonly keepFor?: 'off_session' | 'on_session' | null | undefined;
  readonly metadata?: Stripe.Metadata;
  readonly method?: string | null;
  readonly automatic?: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
  readonly onlyCards?: boolean;
};

/** A new intent that requires a card or confirmation. @throws ApiError */
export function newIntent(context: SandboxContext, given: NewIntent): Stripe.PaymentIntent {
  if (given.amount < LEAST) throw invalid('Amount must be at least $0.50 usd', 'amount_too_small', 'amount');
  if (given.amount > 99_999_999) throw invalid('Amount must be no more than $999,999.99', 'amount_too_large', 'amount');
  const id = context.newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: given.onlyCards ? ['card'] : null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: given.automatic ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_${context.newId('secret')}`,
    confirmation_method: 'automatic',
    created: context.now,
    currency: given.currency.toLowerCase(),
    customer: given.customer,
    customer_account: null,
    description: given.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: given.method ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: given.receiptEmail ?? null,
    review: null,
    setup_future_usage: given.keepFor ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: given.method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  context.store.put('payment_intent', intent);
  context.emit('payment_intent.created', intent);
  return intent;
}

const CONFIRMABLE: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

type Confirmation = {
  readonly payment_method?: string | undefined;
  readonly payment_method_data?: z.infer<typeof METHOD_DATA> | undefined;
  readonly off_session?: boolean | undefined;
  readonly return_url?: string | undefined;
  readonly error_on_requires_action?: boolean | undefined;
};

/** @throws ApiError as Stripe does, with its changes kept if the card was charged */
export function confirm(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  given: Confirmation,
): Stripe.PaymentIntent {
  if (!CONFIRMABLE.includes(intent.status)) {
    throw invalid(
      `This PaymentIntent's status is ${intent.status}: it cannot be confirmed.`,
      'payment_intent_unexpected_state',
    );
  }
  const method = given.payment_method_data
    ? methodOf(context, given.payment_method_data)
    : given.payment_method
      ? usable(context, given.payment_method)
      : intent.payment_method;
  if (method === null)
    throw invalid(
      'You cannot confirm this PaymentIntent because it is missing a payment method. Provide one by `payment_method`.',
      'payment_intent_unexpected_state',
    );
  const full = typeof method === 'string' ? need(context, 'payment_method', method, 'payment_method') : method;
  if (full.customer !== null && full.customer !== intent.customer) {
    throw invalid(
      'The provided PaymentMethod belongs to a Customer. Pass that Customer to use it.',
      undefined,
      'payment_method',
    );
  }
  const { intent: tried, refused } = attempt(context, intent, {
    method: full,
    offSession: given.off_session ?? false,
    returnUrl: given.return_url ?? null,
  });
  if (refused) throw refusalOf(refused);
  if (tried.status === 'requires_action' && given.error_on_requires_action) {
    throw refusalOf({
      type: 'card_error',
      code: 'authentication_required',
      message: 'This payment requires additional user action before it can be completed successfully.',
      payment_intent: tried,
    });
  }
  return tried;
}

type Fields = z.infer<z.ZodObject<typeof FIELDS>>;

function changesOf(
  context: SandboxContext,
  before: Stripe.PaymentIntent,
  {
    customer,
    description,
    receipt_email,
    setup_future_usage,
    metadata: meta,
    payment_method,
    payment_method_data,
  }: Fields,
): Partial<Stripe.PaymentIntent> {
  if (customer !== undefined) needCustomer(context, customer);
  const method = payment_method_data
    ? methodOf(context, payment_method_data).id
    : payment_method === undefined
      ? undefined
      : usable(context, payment_method).id;
  return {
    metadata: mergedMetadata(before.metadata, meta),
    ...(customer === undefined ? {} : { customer }),
    ...(description === undefined ? {} : { description }),
    ...(receipt_email === undefined ? {} : { receipt_email }),
    ...(setup_future_usage === undefined ? {} : { setup_future_usage }),
    ...(method === undefined ? {} : { payment_method: method, status: 'requires_confirmation' as const }),
  };
}

const CREATE = z.strictObject({
  ...FIELDS,
  ...CONFIRM,
  amount: whole,
  currency: text,
  confirm: yesNo.optional(),
  automatic_payment_methods: AUTOMATIC.optional(),
  allowed_payment_method_types: TYPES.optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirmation_method: z.literal('automatic').optional(),
});

function create(
  context: SandboxContext,
  {
    amount,
    currency,
    confirm: atOnce,
    automatic_payment_methods,
    allowed_payment_method_types,
    ...fields
  }: z.infer<typeof CREATE>,
): Stripe.PaymentIntent {
  if (fields.customer !== undefined) needCustomer(context, fields.customer);
  const method = fields.payment_method_data
    ? methodOf(context, fields.payment_method_data).id
    : fields.payment_method === undefined
      ? null
      : usable(context, fields.payment_method).id;
  const intent = newIntent(context, {
    amount,
    currency,
    customer: fields.customer ?? null,
    description: fields.description,
    receiptEmail: fields.receipt_email,
    keepFor: fields.setup_future_usage,
    metadata: mergedMetadata(null, fields.metadata),
    method,
    automatic: automatic_payment_methods
      ? {
          enabled: automatic_payment_methods.enabled,
          allow_redirects: automatic_payment_methods.allow_redirects ?? 'always',
        }
      : { enabled: true, allow_redirects: 'always' },
    onlyCards: allowed_payment_method_types !== undefined,
  });
  return atOnce
    ? confirm(context, intent, {
        off_session: fields.off_session,
        return_url: fields.return_url,
        error_on_requires_action: fields.error_on_requires_action,
      })
    : intent;
}

/** A caller with only the publishable key proves ownership by the secret. */
const SECRET = { client_secret: text.optional() };

export const PAYMENT_INTENTS: readonly Route[] = [
  route({ method: 'POST', path: '/v1/payment_intents', params: CREATE, run: create }),
  route({
    method: 'GET',
    path: '/v1/payment_intents/:id',
    params: z.strictObject(SECRET),
    open: true,
    run: (context, _, id) => need(context, 'payment_intent', id),
  }),
  route({
    method: 'GET',
    path: '/v1/payment_intents',
    params: z.strictObject({ ...LIST, customer: text.optional(), created: time.optional() }),
    run: (context, { customer, created, ...paging }) =>
      pageOf(context, 'payment_intent', '/v1/payment_intents', paging, {
        found: { customer },
        fits: (intent) => isAt(intent.created, created),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/payment_intents/:id',
    params: z.strictObject({
      ...FIELDS,
      amount: whole.pipe(z.number().min(LEAST)).optional(),
      currency: ignored,
      allowed_payment_method_types: listOf(z.literal('card')).optional(),
    }),
    run: (context, { amount, ...fields }, id) => {
      const intent = need(context, 'payment_intent', id);
      if (amount !== undefined && !CONFIRMABLE.includes(intent.status)) {
        throw invalid(
          `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}.`,
          'payment_intent_unexpected_state',
          'amount',
        );
      }
      // Stripe emits no event for it.
      return change(
        context,
        'payment_intent',
        intent,
        { ...changesOf(context, intent, fields), ...(amount === undefined ? {} : { amount }) },
        null,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    params: z.strictObject({
      ...CONFIRM,
      ...SECRET,
      payment_method: text.optional(),
      payment_method_data: METHOD_DATA.optional(),
      receipt_email: clearable.optional(),
      setup_future_usage: USAGE.optional(),
      shipping: ignored,
    }),
    open: true,
    run: (context, { receipt_email, setup_future_usage, ...given }, id) => {
      const intent = need(context, 'payment_intent', id);
      return confirm(
        context,
        change(
          context,
          'payment_intent',
          intent,
          changesOf(context, intent, { receipt_email, setup_future_usage }),
          null,
        ),
        given,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    params: z.strictObject({
      cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    }),
    run: (context, { cancellation_reason }, id) => {
      const intent = need(context, 'payment_intent', id);
      if (!CONFIRMABLE.includes(intent.status)) {
        throw invalid(
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
          'payment_intent_unexpected_state',
        );
      }
      return change(
        context,
        'payment_intent',
        intent,
        {
          status: 'canceled',
          canceled_at: context.now,
          cancellation_reason: cancellation_reason ?? null,
          next_action: null,
        },
        'payment_intent.canceled',
      );
    },
  }),
];
