import { getBilling } from '../../projections/billing.ts';
import { listBillingHistory } from '../../projections/billingHistory.ts';
import { SubscriptionHistoryQuery, SubscriptionHistoryResponse, SubscriptionStatusResponse } from '../contract/billing.ts';
import { presentSubscription } from '../present/billing.ts';
import { presentTransaction } from '../present/billingHistory.ts';
import { route } from '../route.ts';

export const getSubscriptionStatus = route({
  method: 'GET',
  path: '/subscription/status',
  access: 'user',
  summary: 'The subscription, what is used of this period’s analyses, and what there is to pay with',
  response: SubscriptionStatusResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: presentSubscription(await getBilling(deps.readModels, caller.userId), deps.now(), deps.config),
  }),
});

const HISTORY_PAGE = 10;

export const getSubscriptionHistory = route({
  method: 'GET',
  path: '/auth/subscription/history',
  access: 'user',
  summary: 'Every change of the bill, newest first: payments, credits, funds, subscriptions',
  query: SubscriptionHistoryQuery,
  response: SubscriptionHistoryResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, query }) => {
    const { limit = HISTORY_PAGE, cursor } = query;
    const page = await listBillingHistory(deps.readModels, caller.userId, { limit, cursor });
    const pagination = { limit, has_more: page.cursor !== null, cursor: page.cursor };
    return { success: true as const, data: { transactions: page.documents.map(presentTransaction), pagination } };
  },
});
