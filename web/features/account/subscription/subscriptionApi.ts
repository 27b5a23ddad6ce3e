import type { BillingRow, SubscriptionStatusResponse } from '../../../../src/http/contract/billing.ts';
import { api } from '../../../api/api.ts';

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

/** A row of the realtime channel `billing`. */
export function patchSubscription(row: Partial<BillingRow> | null) {
  const { subscription, usage, balance } = row ?? {};
  return subscriptionApi.util.updateQueryData('getSubscription', undefined, (held) =>
    subscription && usage && balance ? { subscription, usage, balance } : held,
  );
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
