import type { AnalysesResponse, AnalysisView } from '../../../src/http/contract/analyses.ts';
import { ANALYSES_LIMIT_MAX } from '../../../src/model/limits.ts';
import { api, NEWEST_ACTIONS } from '../../api/api.ts';
import { asFailure } from '../../api/failure.ts';

/** The maximum number of choices; older ones are reached from the list of jobs. */

export const analysesApi = api.enhanceEndpoints({ addTagTypes: ['Analyses'] }).injectEndpoints({
  endpoints: (build) => ({
    listAnalyses: build.query<readonly AnalysisView[], void>({
      query: () => ({ path: '/api/v1/actions/analyses', query: { limit: ANALYSES_LIMIT_MAX } }),
      transformResponse: (response: AnalysesResponse) => response.analyses,
      providesTags: ['Analyses'],
    }),
    deleteAnalysis: build.mutation<unknown, string>({
      query: (id) => ({ path: `/api/v1/actions/analyses/${encodeURIComponent(id)}`, method: 'DELETE' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const gone = await queryFulfilled.then(
          () => true,
          (rejection: { error?: unknown }) => asFailure(rejection.error).status === 404,
        );
        if (gone)
          dispatch(
            analysesApi.util.updateQueryData('listAnalyses', undefined, (analyses) =>
              analyses.filter((each) => each.id !== id),
            ),
          );
      },
      // Its own items are not fetched again: they are gone.
      invalidatesTags: (_, error) => (error ? [] : ['Analyses', NEWEST_ACTIONS]),
    }),
  }),
});

export const { useListAnalysesQuery, useDeleteAnalysisMutation } = analysesApi;
