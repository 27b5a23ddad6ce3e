/** Money of the bill: integers in the smallest unit of their currency. The sums of a purchase are the browser's, too: `src/model/purchase.ts`. */
import type { Money } from '../../model/purchase.ts';

/** A sum that is typed in whole units of the currency, in its smallest unit. */
export const centsOf = (units: number): number => Math.round(units * 100);

/** How often a price goes into a balance. A balance below nothing has room for none. */
export function timesIn(balance: number, price: number): number {
  return price > 0 ? Math.max(0, Math.floor(balance / price)) : 0;
}

/** As a person reads it: `$50.00`. */
export function moneyText({ amount, currency }: Money): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(amount / 100);
}
