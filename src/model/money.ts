/** Money as people read it, on every screen, in every mail and file: sums are whole numbers in the smallest unit of their currency. */
import type { Money } from './purchase.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** `currency` as the provider spells it: `usd`. @throws RangeError for what is no code of a currency */
function formatOf(currency: string): Intl.NumberFormat {
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  formats.set(currency, format);
  return format;
}

/** How many digits its sums have after the point: 2 of most, none of yen. */
export const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** The sum in whole units of its currency: 12.5 of 1,250 cents. */
export const unitsOf = ({ amount, currency }: Money): number => amount / 10 ** digitsOf(currency);

/** '$50.00', '¥5,000'. */
export const moneyText = (money: Money): string => formatOf(money.currency).format(unitsOf(money));

/** '50.00', '5000': for counting on, written out, so that no rounding comes in. */
export function decimalText({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const units = text.slice(0, text.length - digits);
  return `${amount < 0 ? '-' : ''}${digits === 0 ? units : `${units}.${text.slice(-digits)}`}`;
}
