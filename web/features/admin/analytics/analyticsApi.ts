import type { AnalyticsResponse } from '../../../../src/http/contract/admin/analytics.ts';
import { api } from '../../../api/api.ts';
import type { Shown } from './range.ts';

export type Analytics = AnalyticsResponse['data'];

const analyticsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAnalytics: build.query<Analytics, Pick<Shown, 'from' | 'to' | 'by'>>({
      query: ({ from, to, by }) => ({
        path: '/api/v1/admin/analytics',
        query: { from: from ?? undefined, to: to ?? undefined, by },
      }),
      transformResponse: (response: AnalyticsResponse) => response.data,
    }),
  }),
});

export const { useGetAnalyticsQuery } = analyticsApi;
