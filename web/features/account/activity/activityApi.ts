import type { ActivityResponse } from '../../../../src/http/contract/security.ts';
import { api } from '../../../api/api.ts';

const activityApi = api.enhanceEndpoints({ addTagTypes: ['MailPreferences', 'Mfa'] }).injectEndpoints({
  endpoints: (build) => ({
    listActivity: build.infiniteQuery<ActivityResponse, void, string | null>({
      query: ({ pageParam: cursor }) => ({ path: '/api/v1/auth/activity', query: { cursor } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      // Actions on the account page are listed in the activity.
      providesTags: ['MailPreferences', 'Mfa', 'Sessions', 'Subscription'],
    }),
  }),
});

export const { useListActivityInfiniteQuery } = activityApi;
