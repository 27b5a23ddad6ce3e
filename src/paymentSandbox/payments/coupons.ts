/** Coupons, their promotion codes, and the reductions they give. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { decimal, LIST, metadata, text, time, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';

const MONTHS = { forever: null, once: 0 } as const;

/** Whether a coupon can still be redeemed, at a given time. */
const isValid = (coupon: Stripe.Coupon, now: number): boolean =>
  (coupon.redeem_by === null || coupon.redeem_by > now) &&
  (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions);

const couponNow = (context: SandboxContext, coupon: Stripe.Coupon): Stripe.Coupon => ({
  ...coupon,
  valid: isValid(coupon, context.now),
});

/** The code with its current validity, regardless of the customer. */
function codeNow(context: SandboxContext, code: Stripe.PromotionCode): Stripe.PromotionCode {
  const coupon = context.store.get('coupon', idOf(code.promotion.coupon) ?? '');
  const isOver =
    (code.expires_at !== null && code.expires_at <= context.now) ||
    (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions);
  return { ...code, active: code.active && !isOver && coupon !== undefined && isValid(coupon, context.now) };
}

/** @throws ApiError when it cannot be redeemed (any longer), or not by this customer, or not for so small an amount */
export function redeemable(
  context: SandboxContext,
  given: { readonly coupon?: string | undefined; readonly promotion_code?: string | undefined },
  customer: string | null,
  subtotal: number | null = null,
): DiscountChoice {
  if (given.promotion_code !== undefined) {
    const code = codeNow(context, need(context, 'promotion_code', given.promotion_code, 'promotion_code'));
    const least = code.restrictions.minimum_amount;
    const isTheirs = code.customer === null || code.customer === customer;
    const isFirst =
      !code.restrictions.first_time_transaction ||
      customer === null ||
      [...context.store.each('charge', { customer })].every((charge) => !charge.paid);
    if (!code.active || !isTheirs)
      throw invalid('This promotion code is invalid.', 'promotion_code_expired', 'discounts');
    if (!isFirst)
      throw invalid(
        'This promotion code cannot be redeemed because the associated customer has prior transactions.',
        'promotion_code_customer_not_first_time',
        'discounts',
      );
    if (least !== null && subtotal !== null && subtotal < least)
      throw invalid(
        'This promotion code cannot be redeemed because the minimum amount has not been met.',
        'promotion_code_minimum_not_met',
        'discounts',
      );
    return { coupon: idOf(code.promotion.coupon) ?? '', promotionCode: code.id };
  }
  const coupon = need(context, 'coupon', given.coupon ?? '', 'coupon');
  if (!isValid(coupon, context.now)) throw invalid(`Coupon expired: ${coupon.id}`, 'coupon_expired', 'discounts');
  return { coupon: coupon.id, promotionCode: null };
}

/** Counts a redemption. */
export function redeem(context: SandboxContext, { coupon, promotionCode }: DiscountChoice): void {
  const used = need(context, 'coupon', coupon, 'coupon');
  context.store.put('coupon', { ...used, times_redeemed: used.times_redeemed + 1 });
  const code = promotionCode === null ? undefined : context.store.get('promotion_code', promotionCode);
  if (code) context.store.put('promotion_code', { ...code, times_redeemed: code.times_redeemed + 1 });
}

/** The reduction, at most the full amount; percentages round half up. */
export function reductionOf(coupon: Stripe.Coupon, subtotal: number): number {
  if (coupon.percent_off !== null)
    return Math.min(subtotal, Math.round((subtotal * Math.round(coupon.percent_off * 100)) / 10_000));
  return Math.min(subtotal, coupon.amount_off ?? 0);
}

/** A discount's duration in months; null: unlimited. 0: it applies once. */
export const monthsOf = (coupon: Stripe.Coupon): number | null =>
  coupon.duration === 'repeating'
    ? (coupon.duration_in_months ?? 1)
    : coupon.duration === 'once'
      ? MONTHS.once
      : MONTHS.forever;

const COUPON = z.strictObject({
  id: text.optional(),
  name: text.optional(),
  percent_off: decimal.pipe(z.number().gt(0).max(100)).optional(),
  amount_off: whole.pipe(z.number().min(1)).optional(),
  currency: text.optional(),
  duration: z.enum(['forever', 'once', 'repeating']).optional(),
  duration_in_months: whole.optional(),
  max_redemptions: whole.optional(),
  redeem_by: whole.optional(),
  metadata: metadata.optional(),
});

function createCoupon(context: SandboxContext, given: z.infer<typeof COUPON>): Stripe.Coupon {
  if ((given.percent_off === undefined) === (given.amount_off === undefined))
    throw invalid('You must pass either `percent_off` or `amount_off`.');
  if (given.amount_off !== undefined && given.currency === undefined)
    throw invalid('You must pass currency when passing amount_off', 'parameter_missing', 'currency');
  if (given.id !== undefined && context.store.get('coupon', given.id))
    throw invalid('Coupon already exists.', 'resource_already_exists', 'id');
  const coupon: Stripe.Coupon = {
    id: given.id ?? context.newId('coupon').slice('coupon_'.length, 'coupon_'.length + 8),
    object: 'coupon',
    amount_off: given.amount_off ?? null,
    created: context.now,
    currency: given.amount_off === undefined ? null : (given.currency ?? null),
    duration: given.duration ?? 'once',
    duration_in_months: given.duration_in_months ?? null,
    livemode: false,
    max_redemptions: given.max_redemptions ?? null,
    metadata: mergedMetadata(null, given.metadata),
    name: given.name ?? null,
    percent_off: given.percent_off ?? null,
    redeem_by: given.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  };
  context.store.put('coupon', coupon);
  context.emit('coupon.created', coupon);
  return coupon;
}

const CODE = z.strictObject({
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,500}$/)
    .optional(),
  active: yesNo.optional(),
  customer: text.optional(),
  expires_at: whole.optional(),
  max_redemptions: whole.optional(),
  metadata: metadata.optional(),
  restrictions: z
    .strictObject({
      first_time_transaction: yesNo.optional(),
      minimum_amount: whole.optional(),
      minimum_amount_currency: text.optional(),
    })
    .optional(),
});

function createCode(context: SandboxContext, given: z.infer<typeof CODE>): Stripe.PromotionCode {
  need(context, 'coupon', given.promotion.coupon, 'promotion[coupon]');
  if (given.customer !== undefined) needCustomer(context, given.customer);
  const code = given.code ?? context.newId('code').slice(-8).toUpperCase();
  const same = [...context.store.each('promotion_code', { tag: code.toLowerCase() })].filter(
    (each) => each.customer === (given.customer ?? null),
  );
  const taken = same.some((each) => codeNow(context, each).active);
  if (taken) throw invalid(`An active promotion code with \`code: ${code}\` already exists.`, undefined, 'code');
  const made: Stripe.PromotionCode = {
    id: context.newId('promo'),
    object: 'promotion_code',
    active: given.active ?? true,
    code,
    created: context.now,
    customer: given.customer ?? null,
    customer_account: null,
    expires_at: given.expires_at ?? null,
    livemode: false,
    max_redemptions: given.max_redemptions ?? null,
    metadata: mergedMetadata(null, given.metadata),
    promotion: { type: 'coupon', coupon: given.promotion.coupon },
    restrictions: {
      first_time_transaction: given.restrictions?.first_time_transaction ?? false,
      minimum_amount: given.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: given.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  };
  context.store.put('promotion_code', made);
  context.emit('promotion_code.created', made);
  return made;
}

export const COUPONS: readonly Route[] = [
  route({ method: 'POST', path: '/v1/coupons', params: COUPON, run: createCoupon }),
  route({
    method: 'GET',
    path: '/v1/coupons/:id',
    params: z.strictObject({}),
    run: (context, _, id) => couponNow(context, need(context, 'coupon', id)),
  }),
  route({
    method: 'GET',
    path: '/v1/coupons',
    params: z.strictObject({ ...LIST, created: time.optional() }),
    run: (context, { created, ...paging }) => {
      const page = pageOf(context, 'coupon', '/v1/coupons', paging, {
        fits: (coupon) => isAt(coupon.created, created),
      });
      return { ...page, data: page.data.map((coupon) => couponNow(context, coupon)) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/coupons/:id',
    params: z.strictObject({}),
    run: (context, _, id) => {
      context.emit('coupon.deleted', need(context, 'coupon', id));
      context.store.remove('coupon', id);
      return { id, object: 'coupon', deleted: true };
    },
  }),
  route({ method: 'POST', path: '/v1/promotion_codes', params: CODE, run: createCode }),
  route({
    method: 'GET',
    path: '/v1/promotion_codes/:id',
    params: z.strictObject({}),
    run: (context, _, id) => codeNow(context, need(context, 'promotion_code', id)),
  }),
  route({
    method: 'GET',
    path: '/v1/promotion_codes',
    params: z.strictObject({
      ...LIST,
      code: text.optional(),
      active: yesNo.optional(),
      coupon: text.optional(),
      customer: text.optional(),
      created: time.optional(),
    }),
    run: (context, { code, active, coupon, customer, created, ...paging }) => {
      const page = pageOf(context, 'promotion_code', '/v1/promotion_codes', paging, {
        found: { tag: code?.toLowerCase(), customer },
        fits: (each) =>
          (active === undefined || codeNow(context, each).active === active) &&
          (coupon === undefined || each.promotion.coupon === coupon) &&
          isAt(each.created, created),
      });
      return { ...page, data: page.data.map((each) => codeNow(context, each)) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/promotion_codes/:id',
    params: z.strictObject({ active: yesNo.optional(), metadata: metadata.optional() }),
    run: (context, { active, metadata: meta }, id) => {
      const code = need(context, 'promotion_code', id);
      const changed = change(
        context,
        'promotion_code',
        code,
        { ...(active === undefined ? {} : { active }), metadata: mergedMetadata(code.metadata, meta) },
        'promotion_code.updated',
      );
      return codeNow(context, changed);
    },
  }),
];
