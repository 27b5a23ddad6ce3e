/** Arithmetic of report purchases: integers in cents, half a cent rounded up. No floating point is involved. */

/** `currency` in the provider's spelling: `usd`. */
export type Money = { readonly amount: number; readonly currency: string };

/** Discount of a code: percent with at most two decimals, or cents per report. */
export type Discount = { readonly percentOff: number } | { readonly amountOff: number; readonly currency: string };

export type PurchaseSums = {
  readonly subtotal: number;
  readonly discount: number;
  /** Amount charged. */
  readonly total: number;
  /** Amount added to the funds: the reports' full price, regardless of discounts. */
  readonly funds: number;
};

/** Maximum number of reports per purchase. */
export const MAX_QUANTITY = 20;
/** Minimum charge: the provider accepts nothing below it. */
export const MINIMUM_TOTAL = 50;
/** Price of one report while the provider's price is unknown. */
export const FALLBACK_REPORT_PRICE: Money = { amount: 5_000, currency: 'usd' };

/** @throws RangeError for an impossible quantity or price; callers validate external input */
export function purchaseSums(quantity: number, price: Money, code: Discount | null): PurchaseSums {
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY)
    throw new RangeError(`A purchase has 1 to ${MAX_QUANTITY} reports.`);
  if (!Number.isSafeInteger(price.amount) || price.amount < 0)
    throw new RangeError('A price is a whole number of cents.');
  const subtotal = quantity * price.amount;
  const discount = Math.min(subtotal, code ? takenOff(code, { subtotal, quantity, currency: price.currency }) : 0);
  return { subtotal, discount, total: Math.max(MINIMUM_TOTAL, subtotal - discount), funds: subtotal };
}

function takenOff(
  code: Discount,
  of: { readonly subtotal: number; readonly quantity: number; readonly currency: string },
): number {
  // In hundredths of a percent, so that 12.5 becomes a whole number.
  if ('percentOff' in code) return shareOf(of.subtotal, Math.round(code.percentOff * 100), 10_000);
  return code.currency === of.currency ? code.amountOff * of.quantity : 0;
}

/**
 * `part / whole` of an amount, half a cent rounded up. All must be non-negative integers. Products may exceed the safe
 * integer range.
 */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}
