/** Money of the bill. The sums of a purchase are the browser's, too: `src/model/purchase.ts`; texts of sums are in `src/model/money.ts`. */

/** How often a price goes into a balance. A balance below nothing has room for none. */
export function timesIn(balance: number, price: number): number {
  return price > 0 ? Math.max(0, Math.floor(balance / price)) : 0;
}
