/** Money as text: '$50.00'. Dollars are formatted by hand, for the reason given in `time.ts`. */
import { moneyText as textInCurrency } from '../../../src/model/money.ts';
import { grouped } from './wording.ts';

/** The sign of a number below zero, as wide as a digit. */
export const MINUS = '−';

/** `amount`: in the currency's smallest unit; null means dollars. */
export function moneyText(amount: number, currency: string | null): string {
  if (currency !== null && currency !== 'usd') return textInCurrency({ amount, currency }).replace('-', MINUS);
  const cents = Math.abs(amount);
  return `${amount < 0 ? MINUS : ''}$${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}
