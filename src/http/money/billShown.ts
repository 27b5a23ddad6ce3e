import { getBilling, listBillingHistory } from '../../projections/billing.ts';
import type { ReadModels } from '../../readModels/readModels.ts';

/** What a user sees of their bill: its state and its history. */
export function billShown(readModels: ReadModels, userId: string): Promise<unknown> {
  return Promise.all([getBilling(readModels, userId), listBillingHistory(readModels, userId, { limit: 1 })]);
}
