/** How a line of the history reads. */
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { titleCase } from '../../../ui/text/wording.ts';

const STATUSES: Readonly<Record<string, string>> = {
  active: 'Active',
  paid: 'Paid',
  canceled: 'Cancelled',
  cancelled: 'Cancelled',
  succeeded: 'Success',
  success: 'Success',
  renewed: 'Renewed',
};

export const statusText = (status: string): string => STATUSES[status] ?? titleCase(status);

/** Cents; what is 100 or less and says nothing else is a number of credits. */
export function amountText({ amount, currency, metadata, stripe_payment_id: payment }: Transaction): string {
  if (amount <= 100 && payment === null && Object.keys(metadata).length === 0) return `${amount} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;
  return new Intl.NumberFormat('en', { style: 'currency', currency: (currency ?? 'usd').toUpperCase() }).format(amount / 100);
}
