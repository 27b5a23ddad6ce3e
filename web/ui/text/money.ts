/** Cents as a person reads them: '$50.00'. Dollars are written out here, for the reason that `time.ts` has. */
import { grouped } from './wording.ts';

export function moneyText(amount: number, currency: string | null): string {
  if (currency !== null && currency !== 'usd')
    return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(amount / 100);
  const cents = Math.abs(amount);
  return `${amount < 0 ? '-' : ''}$${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}
