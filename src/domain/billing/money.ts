/**
 * Billing arithmetic. Purchase sums are shared with the browser in `src/model/purchase.ts`; formatting is in
 * `src/model/money.ts`.
 */

/** How many times a price fits into a balance; 0 for a negative balance. */
export function timesIn(balance: number, price: number): number {
  return price > 0 ? Math.max(0, Math.floor(balance / price)) : 0;
}
