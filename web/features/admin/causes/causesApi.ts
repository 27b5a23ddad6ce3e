import type { CausesOfEventResponse } from '../../../../src/http/contract/admin/causes.ts';
import { api } from '../../../api/api.ts';

const causesApi = api.injectEndpoints({
  endpoints: (build) => ({
    causesOfEvent: build.infiniteQuery<CausesOfEventResponse, string, string | null>({
      query: ({ queryArg: eventId, pageParam: cursor }) => ({
        path: `/api/v1/admin/history/causes/${encodeURIComponent(eventId)}`,
        query: { cursor },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
    }),
  }),
});

export const { useCausesOfEventInfiniteQuery } = causesApi;
