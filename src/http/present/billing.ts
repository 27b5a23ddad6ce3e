/** What a user may analyse this month, from the billing document. */

import { START } from '../../eventStore/eventStore.ts';
import type { BillingDocument } from '../../projections/billing.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import { PREVIEW_ACTIONS } from '../contract/actions.ts';
import type { BillingRow, SubscriptionStatusResponse } from '../contract/billing.ts';

/** `now`: UTC ISO. Null document: nothing was ever used. */
export function presentSubscription(
  document: StoredDocument<BillingDocument> | null,
  now: string,
  freeAnalysesPerMonth: number,
): SubscriptionStatusResponse['data'] {
  const period = now.slice(0, 7);
  return {
    subscription: {
      tier: 'free',
      status: 'inactive',
      features: { actionItemsLimit: PREVIEW_ACTIONS, domainsPerMonth: freeAnalysesPerMonth },
      cancelAtPeriodEnd: false,
      currentPeriodEnd: null,
    },
    usage: { used: document?.data.periods[period] ?? 0, limit: freeAnalysesPerMonth, periodEnd: endOfMonth(period) },
  };
}

export function presentBilling(document: StoredDocument<BillingDocument> | null, userId: string, now: string, freeAnalysesPerMonth: number): BillingRow {
  return { user_id: userId, ...presentSubscription(document, now, freeAnalysesPerMonth), position: document?.position ?? START };
}

/** The first moment of the next calendar month in UTC, when the allowance is whole again. */
function endOfMonth(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString();
}
