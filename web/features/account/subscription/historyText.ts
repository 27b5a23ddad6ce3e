/** How a line of the history reads. */
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { moneyText } from '../../../ui/text/money.ts';
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

/** Money, or a number of credits: what has no currency, or is 100 or less, and says nothing else. Empty where nothing was to be paid. */
export function amountText({ amount, currency, metadata, stripe_payment_id: payment }: Transaction): string {
  if ((amount <= 100 || currency === null) && payment === null && Object.keys(metadata).length === 0) {
    return `${amount} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;
  }
  return amount === 0 && payment === null && metadata.amount_dollars === undefined ? '' : moneyText(amount, currency);
}
