/** Texts of a history row. */
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { MINUS, moneyText } from '../../../ui/text/money.ts';
import { count, titleCase } from '../../../ui/text/wording.ts';

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

/**
 * Money, or a number of credits if the amount has no currency (or is at most 100) and the row has no payment or
 * metadata. Empty when nothing was due.
 */
export function amountText({ amount, currency, metadata, stripe_payment_id: payment }: Transaction): string {
  if ((amount <= 100 || currency === null) && payment === null && Object.keys(metadata).length === 0) {
    return `${amount < 0 ? MINUS : ''}${count(Math.abs(amount), 'credit')}`;
  }
  return amount === 0 && payment === null && metadata.amount_dollars === undefined ? '' : moneyText(amount, currency);
}
