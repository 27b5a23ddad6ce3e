import { getBilling } from '../../projections/billing.ts';
import { SubscriptionStatusResponse } from '../contract/billing.ts';
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
