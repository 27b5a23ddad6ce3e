/** Cards as payment methods. Numbers are not stored, only the card's behavior. */
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { ApiError, invalid, missing } from '../server/apiError.ts';
import { pageOf } from '../server/lists.ts';
import { address, clearable, LIST, metadata, text, whole } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { type Behaviour, byNumber, byToken, CARDS, isCardNumber } from './cards.ts';

const OWNER = z.strictObject({
  name: clearable.optional(),
  email: clearable.optional(),
  phone: clearable.optional(),
  address: address.optional(),
});

/** Whether the card may be offered again: `always` if its owner agreed to it. */
export const REDISPLAY = z.enum(['always', 'limited', 'unspecified']);

export const CARD = z.strictObject({ number: text, exp_month: whole, exp_year: whole, cvc: text.optional() });
export const METHOD_DATA = z.strictObject({
  type: z.literal('card'),
  card: CARD,
  billing_details: OWNER.optional(),
  allow_redisplay: REDISPLAY.optional(),
  metadata: metadata.optional(),
});
export type MethodData = z.infer<typeof METHOD_DATA>;

const refusedCard = (code: string, message: string, param: string): ApiError =>
  new ApiError(402, { type: 'card_error', code, message, param });

/** @throws ApiError as Stripe rejects a card before it is charged */
function checkCard(context: SandboxContext, { number, exp_month, exp_year, cvc }: MethodData['card']): Behaviour {
  if (!isCardNumber(number)) throw refusedCard('incorrect_number', 'Your card number is incorrect.', 'number');
  const today = new Date(context.now * 1_000);
  const year = exp_year < 100 ? 2_000 + exp_year : exp_year;
  if (exp_month < 1 || exp_month > 12)
    throw refusedCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  if (year > today.getUTCFullYear() + 50 || year < today.getUTCFullYear())
    throw refusedCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  if (year === today.getUTCFullYear() && exp_month < today.getUTCMonth() + 1)
    throw refusedCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc))
    throw refusedCard('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  const card = byNumber(number);
  if (!card)
    throw new ApiError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    });
  return card;
}

function newMethod(
  context: SandboxContext,
  card: Behaviour,
  expires: { readonly month: number; readonly year: number },
  owner: z.infer<typeof OWNER> | undefined,
  redisplay: z.infer<typeof REDISPLAY> = 'unspecified',
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: context.newId('pm'),
    object: 'payment_method',
    allow_redisplay: redisplay,
    billing_details: {
      address: {
        city: owner?.address?.city ?? null,
        country: owner?.address?.country ?? null,
        line1: owner?.address?.line1 ?? null,
        line2: owner?.address?.line2 ?? null,
        postal_code: owner?.address?.postal_code ?? null,
        state: owner?.address?.state ?? null,
      },
      email: owner?.email ?? null,
      name: owner?.name ?? null,
      phone: owner?.phone ?? null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
      country: 'US',
      display_brand: card.brand,
      exp_month: expires.month,
      exp_year: expires.year,
      fingerprint: createHash('sha256').update(card.number).digest('base64url').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: context.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  context.store.put('payment_method', method);
  context.store.put('card_secret', { id: method.id, behaviour: card.number, proven: false });
  return method;
}

/** @throws ApiError when the number, the date or the security code is invalid */
export function methodOf(
  context: SandboxContext,
  { card, billing_details, allow_redisplay }: MethodData,
): Stripe.PaymentMethod {
  const known = checkCard(context, card);
  return newMethod(
    context,
    known,
    { month: card.exp_month, year: card.exp_year < 100 ? 2_000 + card.exp_year : card.exp_year },
    billing_details,
    allow_redisplay,
  );
}

/** The payment method with this id, or a new one for one of Stripe's test names. @throws ApiError */
export function usable(context: SandboxContext, id: string): Stripe.PaymentMethod {
  const token = byToken(id);
  if (token)
    return newMethod(
      context,
      token,
      { month: 12, year: new Date(context.now * 1_000).getUTCFullYear() + 3 },
      undefined,
    );
  return need(context, 'payment_method', id, 'payment_method');
}

/** The behavior of a payment method's card, and whether its owner has authenticated it. */
export function cardBehind(
  context: SandboxContext,
  id: string,
): { readonly card: Behaviour; readonly proven: boolean } {
  const secret = context.store.get('card_secret', id);
  const card = CARDS.find(({ number }) => number === secret?.behaviour);
  if (!secret || !card) throw missing('payment_method', id, 'payment_method');
  return { card, proven: secret.proven };
}

export function prove(context: SandboxContext, id: string): void {
  const secret = context.store.get('card_secret', id);
  if (secret) context.store.put('card_secret', { ...secret, proven: true });
}

/** @throws ApiError when the card is declined, or belongs to someone else */
export function attach(context: SandboxContext, method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
  needCustomer(context, customer);
  if (method.customer === customer) return method;
  if (method.customer !== null)
    throw invalid('The payment method you provided has already been attached to a customer.');
  const { card } = cardBehind(context, method.id);
  if (card.refusedAtOnce && card.decline) throw new ApiError(402, { type: 'card_error', ...card.decline });
  return change(context, 'payment_method', method, { customer }, 'payment_method.attached');
}

export const PAYMENT_METHODS: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/payment_methods',
    params: z.strictObject({ ...METHOD_DATA.shape }),
    open: true,
    run: (context, { metadata: meta, ...data }) => {
      const method = methodOf(context, data);
      const named = { ...method, metadata: mergedMetadata(null, meta) };
      context.store.put('payment_method', named);
      return named;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/payment_methods/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'payment_method', id),
  }),
  route({
    method: 'GET',
    path: '/v1/payment_methods',
    params: z.strictObject({ ...LIST, customer: text.optional(), type: text.optional() }),
    run: (context, { customer, type, ...paging }) =>
      pageOf(context, 'payment_method', '/v1/payment_methods', paging, {
        found: { customer },
        fits: (method) => method.customer !== null && (type === undefined || method.type === type),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    params: z.strictObject({ customer: text }),
    run: (context, { customer }, id) =>
      attach(context, byToken(id) ? usable(context, id) : need(context, 'payment_method', id), customer),
  }),
  route({
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    params: z.strictObject({}),
    run: (context, _, id) => {
      const method = need(context, 'payment_method', id);
      const owner = typeof method.customer === 'string' ? context.store.get('customer', method.customer) : undefined;
      if (!owner)
        throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
      if (owner.invoice_settings.default_payment_method === id) {
        change(
          context,
          'customer',
          owner,
          { invoice_settings: { ...owner.invoice_settings, default_payment_method: null } },
          'customer.updated',
        );
      }
      return change(context, 'payment_method', method, { customer: null }, 'payment_method.detached');
    },
  }),
];
