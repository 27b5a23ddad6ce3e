/** Discounts of subscriptions: their duration, and their effect on an invoice. */
import type Stripe from 'stripe';
import { need, type SandboxContext } from '../books/context.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { monthsOf, redeem, reductionOf } from '../payments/coupons.ts';
import { after } from './periods.ts';

/** Gives a subscription a discount and counts the code as redeemed. */
export function giveDiscount(
  context: SandboxContext,
  choice: DiscountChoice,
  {
    subscription,
    customer,
    session = null,
  }: { readonly subscription: string; readonly customer: string; readonly session?: string | null },
): Stripe.Discount {
  redeem(context, choice);
  const months = monthsOf(need(context, 'coupon', choice.coupon, 'coupon'));
  const discount: Stripe.Discount = {
    id: context.newId('di'),
    object: 'discount',
    checkout_session: session,
    customer,
    customer_account: null,
    end: months === null || months === 0 ? null : after(context.now, 'month', months),
    invoice: null,
    invoice_item: null,
    promotion_code: choice.promotionCode,
    source: { type: 'coupon', coupon: choice.coupon },
    start: context.now,
    subscription,
    subscription_item: null,
  };
  context.store.put('discount', discount);
  context.emit('customer.discount.created', discount);
  return discount;
}

export type Reduction = { readonly discount: string; readonly amount: number };

/** The reductions by each discount in turn, of the amount that can be discounted. */
export function reductionsOf(context: SandboxContext, discounts: readonly string[], subtotal: number): Reduction[] {
  let left = Math.max(0, subtotal);
  return discounts.flatMap((id) => {
    const discount = context.store.get('discount', id);
    const coupon = discount && context.store.get('coupon', idOf(discount.source.coupon) ?? '');
    if (!coupon || (discount.end !== null && discount.end <= context.now)) return [];
    const amount = reductionOf(coupon, left);
    left -= amount;
    return [{ discount: id, amount }];
  });
}

/** Discounts that continue after this invoice. */
export function lastingDiscounts(context: SandboxContext, discounts: readonly string[]): string[] {
  return discounts.filter((id) => {
    const discount = context.store.get('discount', id);
    const coupon = discount && context.store.get('coupon', idOf(discount.source.coupon) ?? '');
    return (
      coupon !== undefined &&
      coupon.duration !== 'once' &&
      (discount?.end === null || (discount?.end ?? 0) > context.now)
    );
  });
}
