/**
 * Formatting of money on every screen and in every email and file: amounts are integers in the smallest unit of their
 * currency, as the payment provider counts it.
 */
import type { Money } from './purchase.ts';

const currencies = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/**
 * How the provider counts, which is not how locale data show a currency: a forint has hundredths here and none there.
 * All others have two decimals. Source: https://docs.stripe.com/currencies, 'Zero-decimal currencies', 'Three-decimal
 * currencies'.
 */
const WITHOUT_DECIMALS = currencies('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf');
const WITH_THREE_DECIMALS = currencies('bhd jod kwd omr tnd');
/** Counted in hundredths, but only whole units can be charged. Source: the same page, 'Special cases'. */
const ONLY_WHOLE = currencies('isk ugx');

const formats = new Map<string, Intl.NumberFormat>();

/** `currency` in the provider's spelling: `usd`. @throws RangeError for an invalid currency code */
function formatOf(currency: string): Intl.NumberFormat {
  const digits = digitsOf(currency);
  const format =
    formats.get(currency) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currency.toUpperCase(),
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(currency, format);
  return format;
}

/** Number of decimal places of an amount: 2 for most currencies, none for yen. */
export function digitsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** Whether the provider only charges whole units, although amounts are counted in hundredths. */
export const isOnlyWhole = (currency: string): boolean => ONLY_WHOLE.has(currency);

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
