import type { LiveFeedResponse } from '../../../../src/http/contract/liveFeed.ts';
import { api } from '../../../api/api.ts';

export type LiveFeed = LiveFeedResponse['data'];
export type FeedRow = LiveFeed['rows'][number];

const feedApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Newest rows first. `after`: only what was read after that row. */
    readFeed: build.query<LiveFeed, { jobId: string; after: number }>({
      query: ({ jobId, after }) => ({ path: `/api/v1/jobs/${encodeURIComponent(jobId)}/feed`, query: { after } }),
      transformResponse: (response: LiveFeedResponse) => response.data,
      // Each answer is joined to those before it, and of no use again.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useLazyReadFeedQuery } = feedApi;
