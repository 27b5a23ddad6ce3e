import { getBilling } from '../../projections/billing.ts';
import { SubscriptionHistoryQuery, SubscriptionHistoryResponse, SubscriptionStatusResponse } from '../contract/billing.ts';
import { presentSubscription } from '../present/billing.ts';
import { route } from '../route.ts';

export const getSubscriptionStatus = route({
  method: 'GET',
  path: '/subscription/status',
  access: 'user',
  summary: 'The subscription and what is used of this period’s analyses',
  response: SubscriptionStatusResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: presentSubscription(await getBilling(deps.readModels, caller.userId), deps.now(), deps.config.freeAnalysesPerMonth),
  }),
});

const HISTORY_PAGE = 10;

/** Payments, credits and subscriptions come with a later version: until then the billing stream has none. */
export const getSubscriptionHistory = route({
  method: 'GET',
  path: '/auth/subscription/history',
  access: 'user',
  summary: 'What was paid and granted, newest first',
  query: SubscriptionHistoryQuery,
  response: SubscriptionHistoryResponse,
  handler: async ({ query }) => ({
    success: true as const,
    data: { transactions: [], pagination: { limit: query.limit ?? HISTORY_PAGE, has_more: false, cursor: null } },
  }),
});
