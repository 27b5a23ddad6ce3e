import type { AnalysesResponse, AnalysisView } from '../../../src/http/contract/analyses.ts';
import { api } from '../../api/api.ts';

/** At most so many can be chosen from; older ones are reached from the list of jobs. */
const LIST_LIMIT = 200;

export const analysesApi = api.enhanceEndpoints({ addTagTypes: ['Analyses'] }).injectEndpoints({
  endpoints: (build) => ({
    listAnalyses: build.query<readonly AnalysisView[], void>({
      query: () => ({ path: '/api/v1/actions/analyses', query: { limit: LIST_LIMIT } }),
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
