/** Checkout sessions: what is bought on a hosted page, and where its customer is redirected afterwards. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { redeemable, reductionOf } from '../payments/coupons.ts';
import { makePrice, newProduct, RECURRING } from '../payments/prices.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { ignored, LIST, listOf, metadata, text, time, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { newSecret } from './cardForm.ts';
import { sessionObject } from './sessionObject.ts';

const DAY = 86_400;

const PRICE_DATA = z.strictObject({
  currency: text,
  unit_amount: whole.pipe(z.number().min(0)),
  product: text.optional(),
  product_data: z.strictObject({ name: text, description: ignored, metadata: ignored }).optional(),
  recurring: RECURRING.optional(),
});

const CREATE = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  line_items: z
    .array(
      z.strictObject({
        price: text.optional(),
        price_data: PRICE_DATA.optional(),
        quantity: whole.pipe(z.number().min(1)).optional(),
      }),
    )
    .min(1),
  success_url: text,
  cancel_url: text.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  client_reference_id: text.optional(),
  allow_promotion_codes: yesNo.optional(),
  discounts: listOf(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() })).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .looseObject({
      metadata: metadata.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    })
    .optional(),
  subscription_data: z.looseObject({ metadata: metadata.optional(), trial_period_days: whole.optional() }).optional(),
  expires_at: whole.optional(),
  ui_mode: z.literal('hosted_page').optional(),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  automatic_tax: ignored,
  billing_address_collection: ignored,
  customer_creation: ignored,
  customer_update: ignored,
  locale: ignored,
  payment_method_collection: ignored,
  submit_type: ignored,
  tax_id_collection: ignored,
});
type Create = z.infer<typeof CREATE>;

function priceOf(context: SandboxContext, line: Create['line_items'][number], index: number): Stripe.Price {
  if (line.price !== undefined) return need(context, 'price', line.price, `line_items[${index}][price]`);
  const data = line.price_data;
  if (!data)
    throw invalid(
      `You must specify either \`price\` or \`price_data\` for line_items[${index}].`,
      'parameter_missing',
      `line_items[${index}][price]`,
    );
  const product = data.product ?? context.newId('prod');
  if (data.product === undefined)
    context.store.put('product', newProduct(product, data.product_data?.name ?? 'Product', context.now));
  return makePrice(context, {
    product,
    currency: data.currency,
    unitAmount: data.unit_amount,
    every: data.recurring ? { interval: data.recurring.interval, count: data.recurring.interval_count ?? 1 } : null,
  });
}

function checkUrl(url: string, param: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid('Not a valid URL', 'url_invalid', param);
}

/** The totals of the lines with these discounts. */
export function sumsOf(
  context: SandboxContext,
  session: string,
  discounts: readonly DiscountChoice[],
): { readonly subtotal: number; readonly discount: number; readonly total: number } {
  const subtotal = [...context.store.each('checkout_item', { tag: session })].reduce(
    (sum, item) => sum + item.amount_subtotal,
    0,
  );
  const total = discounts.reduce(
    (left, { coupon }) => left - reductionOf(need(context, 'coupon', coupon), left),
    subtotal,
  );
  return { subtotal, discount: subtotal - total, total };
}

/** Changes the discounts and every total that a session shows. */
export function discounted(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  discounts: readonly DiscountChoice[],
): Stripe.Checkout.Session {
  const { discount, total } = sumsOf(context, session.id, discounts);
  let left = discount;
  for (const item of [...context.store.each('checkout_item', { tag: session.id, oldestFirst: true })]) {
    const own = Math.min(left, item.amount_subtotal);
    left -= own;
    context.store.put('checkout_item', { ...item, amount_discount: own, amount_total: item.amount_subtotal - own });
  }
  return change(
    context,
    'checkout_session',
    session,
    {
      discounts: discounts.map(({ coupon, promotionCode }) => ({
        coupon: promotionCode === null ? coupon : null,
        promotion_code: promotionCode,
      })),
      amount_total: total,
      total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: 0 },
    },
    null,
  );
}

function create(context: SandboxContext, given: Create): Stripe.Checkout.Session {
  if (given.allow_promotion_codes !== undefined && given.discounts !== undefined)
    throw invalid('You may only specify one of these parameters: allow_promotion_codes, discounts.');
  if (given.customer !== undefined) needCustomer(context, given.customer);
  checkUrl(given.success_url.replaceAll('{CHECKOUT_SESSION_ID}', 'x'), 'success_url');
  if (given.cancel_url !== undefined) checkUrl(given.cancel_url, 'cancel_url');
  const prices = given.line_items.map((line, index) => priceOf(context, line, index));
  const [first] = prices;
  if (!first || prices.some((price) => price.currency !== first.currency))
    throw invalid('All line items must have the same currency.', undefined, 'line_items');
  const recurring = prices.filter(({ type }) => type === 'recurring').length;
  if (given.mode === 'payment' && recurring > 0)
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      undefined,
      'mode',
    );
  // Stripe allows one-time prices next to recurring ones; the product does not need it.
  if (given.mode === 'subscription' && recurring < prices.length)
    throw invalid('This sandbox takes only recurring prices in `subscription` mode.', undefined, 'line_items');
  const expires = given.expires_at ?? context.now + DAY;
  if (expires < context.now + 1_800 || expires > context.now + DAY)
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    );
  const discounts = (given.discounts ?? []).map((each) => redeemable(context, each, given.customer ?? null));
  const id = context.newId('cs_test');
  for (const [index, price] of prices.entries()) {
    const quantity = given.line_items[index]?.quantity ?? 1;
    const amount = (price.unit_amount ?? 0) * quantity;
    const name = context.store.get('product', idOf(price.product) ?? '')?.name ?? null;
    context.store.put('checkout_item', {
      id: context.newId('li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: name,
      metadata: {},
      price,
      quantity,
      session: id,
    });
  }
  context.store.put('session_plan', {
    id,
    items: prices.map((price, index) => ({ price: price.id, quantity: given.line_items[index]?.quantity ?? 1 })),
    trialDays: given.subscription_data?.trial_period_days ?? 0,
    keepFor: given.payment_intent_data?.setup_future_usage ?? null,
    subscriptionMetadata: mergedMetadata(null, given.subscription_data?.metadata),
    intentMetadata: mergedMetadata(null, given.payment_intent_data?.metadata),
  });
  newSecret(context, id, discounts);
  const session = sessionObject({
    id,
    mode: given.mode,
    url: `${context.url}/checkout/${id}`,
    currency: first.currency,
    subtotal: sumsOf(context, id, []).subtotal,
    customer: given.customer ?? null,
    email: given.customer_email ?? null,
    reference: given.client_reference_id ?? null,
    takesCodes: given.allow_promotion_codes ?? null,
    metadata: mergedMetadata(null, given.metadata),
    successUrl: given.success_url,
    cancelUrl: given.cancel_url ?? null,
    created: context.now,
    expires,
  });
  context.store.put('checkout_session', session);
  return discounted(context, session, discounts);
}

/** Expires the session: it can no longer be paid. */
export function expire(context: SandboxContext, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  return change(context, 'checkout_session', session, { status: 'expired', url: null }, 'checkout.session.expired');
}

export const SESSIONS: readonly Route[] = [
  route({ method: 'POST', path: '/v1/checkout/sessions', params: CREATE, run: create }),
  route({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'checkout_session', id),
  }),
  route({
    method: 'GET',
    path: '/v1/checkout/sessions',
    params: z.strictObject({
      ...LIST,
      customer: text.optional(),
      payment_intent: text.optional(),
      subscription: text.optional(),
      status: text.optional(),
      created: time.optional(),
    }),
    run: (context, { customer, payment_intent, subscription, status, created, ...paging }) =>
      pageOf(context, 'checkout_session', '/v1/checkout/sessions', paging, {
        found: { customer },
        fits: (each) =>
          isAt(each.created, created) &&
          (payment_intent === undefined || each.payment_intent === payment_intent) &&
          (subscription === undefined || each.subscription === subscription) &&
          (status === undefined || each.status === status),
      }),
  }),
  route({
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    params: z.strictObject(LIST),
    run: (context, paging, id) => {
      const page = pageOf(context, 'checkout_item', `/v1/checkout/sessions/${id}/line_items`, paging, {
        found: { tag: need(context, 'checkout_session', id).id },
      });
      return { ...page, data: page.data.map(({ session: _, ...item }) => item).reverse() };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    params: z.strictObject({}),
    run: (context, _, id) => {
      const session = need(context, 'checkout_session', id);
      if (session.status !== 'open')
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status ?? 'none'}.`,
        );
      return expire(context, session);
    },
  }),
];
