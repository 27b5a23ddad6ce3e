/** Sums as a person reads them: '$50.00'. Dollars are written out here, for the reason that `time.ts` has. */
import { moneyText as textInCurrency } from '../../../src/model/money.ts';
import { grouped } from './wording.ts';

/** `amount`: in the smallest unit of the currency; null stands for dollars. */
export function moneyText(amount: number, currency: string | null): string {
  if (currency !== null && currency !== 'usd') return textInCurrency({ amount, currency });
  const cents = Math.abs(amount);
  return `${amount < 0 ? '-' : ''}$${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}
