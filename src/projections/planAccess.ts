/** Whether the plans of a user let the user's programs in: API keys and webhooks. */
import { allowsPrograms } from '../domain/billing/plans.ts';
import { tierAt } from '../domain/billing/subscription.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getAccount } from './accounts.ts';
import { getBilling } from './billing.ts';

/**
 * `madeAt`: when the key or webhook was made. One made before any of the user's plans included API access goes on
 * without a plan, and those of admins always work. Where nothing is sold, do not ask. Times are UTC ISO.
 */
export async function areProgramsAllowed(
  readModels: ReadModels,
  { userId, madeAt, at }: { readonly userId: string; readonly madeAt: string; readonly at: string },
): Promise<boolean> {
  const bill = (await getBilling(readModels, userId))?.data;
  if (!bill || bill.apiAccessSince === null || madeAt < bill.apiAccessSince) return true;
  if (allowsPrograms(tierAt(bill.subscriptions, at))) return true;
  return (await getAccount(readModels, userId))?.data.is_admin ?? false;
}
