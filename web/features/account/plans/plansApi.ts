/** Plans: listing them, and changing the user's own. */
import type {
  CancelSubscriptionRequest,
  CancelSubscriptionResponse,
  CreateCheckoutRequest,
  CustomerPortalRequest,
  HostedPageResponse,
  PlansResponse,
  PlanView,
  ReactivateResponse,
  SyncSubscriptionResponse,
  UpdatePlanRequest,
  UpdatePlanResponse,
  UpgradeCostResponse,
} from '../../../../src/http/contract/subscriptions.ts';
import { api } from '../../../api/api.ts';
import { newKey } from '../../../api/call.ts';

/** Invalidated after an error response too, as that usually means the cached state was out of date. */
const invalidatesTags = ['Subscription'] as const;

const plansApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPlans: build.query<readonly PlanView[], void>({
      query: () => ({ path: '/api/v1/subscription/tiers' }),
      transformResponse: (response: PlansResponse) => response.data,
    }),
    sync: build.mutation<SyncSubscriptionResponse, void>({
      query: () => ({ path: '/api/v1/subscription/sync', method: 'POST' }),
      invalidatesTags,
    }),
    checkOut: build.mutation<string, CreateCheckoutRequest>({
      query: (body) => ({ path: '/api/v1/subscription/create-checkout', method: 'POST', body }),
      transformResponse: (response: HostedPageResponse) => response.url,
      invalidatesTags: (_url, failure) => (failure ? invalidatesTags : []),
    }),
    changePlan: build.mutation<UpdatePlanResponse, UpdatePlanRequest>({
      query: (body) => ({ path: '/api/v1/subscription/update-plan', method: 'POST', body, idempotencyKey: newKey() }),
      invalidatesTags,
    }),
    getUpgradeCost: build.query<UpgradeCostResponse['data'], PlanView['key']>({
      query: (newTier) => ({ path: '/api/v1/subscription/upgrade-cost', method: 'POST', body: { newTier } }),
      transformResponse: (response: UpgradeCostResponse) => response.data,
      // The amount falls by the second.
      keepUnusedDataFor: 0,
    }),
    openPortal: build.mutation<string, CustomerPortalRequest>({
      query: (body) => ({ path: '/api/v1/subscription/customer-portal', method: 'POST', body }),
      transformResponse: (response: HostedPageResponse) => response.url,
    }),
    cancel: build.mutation<CancelSubscriptionResponse, CancelSubscriptionRequest>({
      query: (body) => ({ path: '/api/v1/subscription/cancel', method: 'POST', body }),
      invalidatesTags,
    }),
    reactivate: build.mutation<ReactivateResponse, void>({
      query: () => ({ path: '/api/v1/subscription/reactivate', method: 'POST', body: {}, idempotencyKey: newKey() }),
      invalidatesTags,
    }),
  }),
});

export const {
  useGetPlansQuery,
  useGetUpgradeCostQuery,
  useSyncMutation,
  useCheckOutMutation,
  useChangePlanMutation,
  useOpenPortalMutation,
  useCancelMutation,
  useReactivateMutation,
} = plansApi;
