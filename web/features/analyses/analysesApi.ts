import type { AnalysesResponse, AnalysisView } from '../../../src/http/contract/analyses.ts';
import { ANALYSES_LIMIT_MAX } from '../../../src/model/limits.ts';
import { api } from '../../api/api.ts';

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
      invalidatesTags: (_, error) => (error ? [] : ['Analyses', 'Actions']),
    }),
  }),
});

export const { useListAnalysesQuery, useDeleteAnalysisMutation } = analysesApi;
