/** Sums of a purchase of reports: integers in cents, half a cent rounded up. Nothing is computed in floating point. */

/** `currency` as the provider spells it: `usd`. */
export type Money = { readonly amount: number; readonly currency: string };

/** What a code takes off: percent with at most two decimals, or cents for each report. */
export type Discount = { readonly percentOff: number } | { readonly amountOff: number; readonly currency: string };

export type PurchaseSums = {
  readonly subtotal: number;
  readonly discount: number;
  /** What is charged. */
  readonly total: number;
  /** What is added to the funds: the reports' full price, whatever a code took off. */
  readonly funds: number;
};

/** Of reports in one purchase. */
export const MAX_QUANTITY = 20;
/** The least that is charged: below it the provider takes nothing. */
export const MINIMUM_TOTAL = 50;
/** Of one report, while the provider's is not known. */
export const FALLBACK_REPORT_PRICE: Money = { amount: 5_000, currency: 'usd' };

/** @throws RangeError for a quantity or a price that no purchase has; whoever takes them from outside has checked them */
export function purchaseSums(quantity: number, price: Money, code: Discount | null): PurchaseSums {
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY) throw new RangeError(`A purchase has 1 to ${MAX_QUANTITY} reports.`);
  if (!Number.isSafeInteger(price.amount) || price.amount < 0) throw new RangeError('A price is a whole number of cents.');
  const subtotal = quantity * price.amount;
  const discount = Math.min(subtotal, code ? takenOff(code, { subtotal, quantity, currency: price.currency }) : 0);
  return { subtotal, discount, total: Math.max(MINIMUM_TOTAL, subtotal - discount), funds: subtotal };
}

function takenOff(code: Discount, of: { readonly subtotal: number; readonly quantity: number; readonly currency: string }): number {
  // Hundredths of a percent, so that 12.5 is a whole number.
  if ('percentOff' in code) return shareOf(of.subtotal, Math.round(code.percentOff * 100), 10_000);
  return code.currency === of.currency ? code.amountOff * of.quantity : 0;
}

/** `part / whole` of an amount, half a cent rounded up. All are whole and not negative. Products may be larger than a number can hold exactly. */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}
