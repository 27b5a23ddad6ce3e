/** Work that was requested before the page was loaded: to its button, as if it had been clicked on this page. */
import { skipToken } from '@reduxjs/toolkit/query/react';
import type { ReworksResponse, ReworkView } from '../../../src/http/contract/reworks.ts';
import { api } from '../../api/api.ts';
import { endOfWork } from '../../api/pendingWork.ts';

const reworksApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPendingReworks: build.query<readonly ReworkView[], string>({
      query: (jobId) => ({ path: `/api/v1/jobs/${encodeURIComponent(jobId)}/reworks` }),
      transformResponse: ({ reworks }: ReworksResponse) => reworks.filter(({ status }) => status === 'pending'),
      keepUnusedDataFor: 0,
    }),
    /** Answered when the work has ended; fails if it was given up. */
    awaitRework: build.query<null, ReworkView>({
      queryFn: async (rework, { signal }, _options, ask) => {
        const failure = await endOfWork(
          rework,
          async (call) => {
            const { data, error } = await ask(call);
            return error ? { failure: error } : { data };
          },
          signal,
        );
        return failure ? { error: failure } : { data: null };
      },
      onQueryStarted: async (_rework, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => null);
        dispatch(api.util.invalidateTags(['Actions']));
      },
    }),
  }),
});

const { useGetPendingReworksQuery, useAwaitReworkQuery } = reworksApi;

/** `actionId`: for a verification. What it changed is read again when it ends. */
export function useEarlierRework(jobId: string, what: ReworkView['what'], actionId: string | null = null) {
  const { pending } = useGetPendingReworksQuery(jobId, {
    refetchOnMountOrArgChange: true,
    selectFromResult: ({ data }) => ({
      pending: data?.find((rework) => rework.what === what && rework.action_id === actionId),
    }),
  });
  const { isFetching, error } = useAwaitReworkQuery(pending ?? skipToken);
  return { isRunning: isFetching, error };
}
