/** Rows of a bill's history, with the reasons that admins gave. */
import { readBillingNotes } from '../../commands/billing/billingNotes.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { isAccountGone } from '../../history/maskedReasons.ts';
import type { BillingChangeDocument } from '../../projections/billing.ts';
import type { Transaction } from '../contract/billing.ts';
import { presentTransaction } from '../present/billingHistory.ts';

/**
 * All of one user. Reads the notes only if a row names one. Reasons that earlier versions kept in the bill are left out
 * once the account is gone.
 */
export async function presentTransactions(
  store: EventStore,
  userId: string,
  rows: readonly BillingChangeDocument[],
): Promise<readonly Transaction[]> {
  const notes = rows.some(({ data }) => 'noteId' in data) ? await readBillingNotes(store, userId) : {};
  const hasReason = rows.some((row) => row.type === 'CreditsGranted' && row.data.reason !== undefined);
  const isGone = hasReason && (await isAccountGone(store, userId));
  return rows.map((row) => {
    const shown = presentTransaction(row, notes);
    return isGone && row.type === 'CreditsGranted' ? { ...shown, reason: null } : shown;
  });
}
