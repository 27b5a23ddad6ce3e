/**
 * Formatting of money on every screen and in every email and file: amounts are integers in the smallest unit of their
 * currency.
 */
import type { Money } from './purchase.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** `currency` in the provider's spelling: `usd`. @throws RangeError for an invalid currency code */
function formatOf(currency: string): Intl.NumberFormat {
  const format =
    formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  formats.set(currency, format);
  return format;
}

/** Number of decimal places: 2 for most currencies, none for yen. */
export const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** The amount in whole units of its currency: 12.5 for 1,250 cents. */
export const unitsOf = ({ amount, currency }: Money): number => amount / 10 ** digitsOf(currency);

/** '$50.00', '¥5,000'. */
export const moneyText = (money: Money): string => formatOf(money.currency).format(unitsOf(money));

/** '50.00', '5000': for further calculation, written out to avoid rounding. */
export function decimalText({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const units = text.slice(0, text.length - digits);
  return `${amount < 0 ? '-' : ''}${digits === 0 ? units : `${units}.${text.slice(-digits)}`}`;
}
