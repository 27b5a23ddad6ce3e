/** Discounts of subscriptions: their duration, and their effect on an invoice. */
import type Stripe from 'stripe';
import { type Desk, need } from '../books/desk.ts';
import type { DiscountChoice } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { monthsOf, redeem, reductionOf } from '../payments/coupons.ts';
import { after } from './periods.ts';

/** Gives a subscription a discount and counts the code as redeemed. */
export function giveDiscount(
  desk: Desk,
  choice: DiscountChoice,
  { subscription, customer, session = null }: { readonly subscription: string; readonly customer: string; readonly session?: string | null },
): Stripe.Discount {
  redeem(desk, choice);
  const months = monthsOf(need(desk, 'coupon', choice.coupon, 'coupon'));
  const discount: Stripe.Discount = {
    id: desk.newId('di'),
    object: 'discount',
    checkout_session: session,
    customer,
    customer_account: null,
    end: months === null || months === 0 ? null : after(desk.now, 'month', months),
    invoice: null,
    invoice_item: null,
    promotion_code: choice.promotionCode,
    source: { type: 'coupon', coupon: choice.coupon },
    start: desk.now,
    subscription,
    subscription_item: null,
  };
  desk.store.put('discount', discount);
  desk.emit('customer.discount.created', discount);
  return discount;
}

export type Reduction = { readonly discount: string; readonly amount: number };

/** The reductions by each discount in turn, of the amount that can be discounted. */
export function reductionsOf(desk: Desk, discounts: readonly string[], subtotal: number): Reduction[] {
  let left = Math.max(0, subtotal);
  return discounts.flatMap((id) => {
    const discount = desk.store.get('discount', id);
    const coupon = discount && desk.store.get('coupon', idOf(discount.source.coupon) ?? '');
    if (!coupon || (discount.end !== null && discount.end <= desk.now)) return [];
    const amount = reductionOf(coupon, left);
    left -= amount;
    return [{ discount: id, amount }];
  });
}

/** Discounts that continue after this invoice. */
export function lastingDiscounts(desk: Desk, discounts: readonly string[]): string[] {
  return discounts.filter((id) => {
    const discount = desk.store.get('discount', id);
    const coupon = discount && desk.store.get('coupon', idOf(discount.source.coupon) ?? '');
    return coupon !== undefined && coupon.duration !== 'once' && (discount?.end === null || (discount?.end ?? 0) > desk.now);
  });
}
