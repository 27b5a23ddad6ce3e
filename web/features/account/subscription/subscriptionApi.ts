import type { BillingRow, SubscriptionStatusResponse } from '../../../../src/http/contract/billing.ts';
import { api } from '../../../api/api.ts';
import type { RowEvent } from '../../../api/live.ts';

export type SubscriptionStatus = SubscriptionStatusResponse['data'];

export const subscriptionApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSubscription: build.query<SubscriptionStatus, void>({
      query: () => ({ path: '/api/v1/subscription/status' }),
      transformResponse: (response: SubscriptionStatusResponse) => response.data,
      providesTags: ['Subscription'],
    }),
  }),
});

/** Rows of the realtime channel `billing`, each of which is the whole state. */
export function patchSubscription(events: readonly RowEvent[]) {
  return subscriptionApi.util.updateQueryData('getSubscription', undefined, (held) => {
    for (const { new: row } of events.toReversed()) {
      const { subscription, usage, balance } = (row ?? {}) as Partial<BillingRow>;
      if (subscription && usage && balance) return { subscription, usage, balance };
    }
    return held;
  });
}

/** Adds funds just bought, until the server reports the same. */
export function addFunds(cents: number) {
  return subscriptionApi.util.updateQueryData('getSubscription', undefined, (held) => {
    held.balance.funds += cents;
  });
}

/** Refetches it where it is shown. */
export const reloadSubscription = () => subscriptionApi.util.invalidateTags(['Subscription']);

export const { useGetSubscriptionQuery } = subscriptionApi;
