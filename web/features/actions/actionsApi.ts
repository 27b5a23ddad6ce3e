import type { ActionsResponse } from '../../../src/http/contract/actions.ts';
import { api } from '../../api/api.ts';

/** Which analysis: by its job, by a site (its newest, or the one of that time), or the newest of all. */
export interface AnalysisKey {
  readonly jobId: string | null;
  readonly domain: string | null;
  readonly timestamp: string | null;
}

export const actionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getActions: build.query<ActionsResponse, AnalysisKey>({
      // The job names the analysis exactly; the site beside it in the address is for people.
      query: ({ jobId, domain, timestamp }) => ({ path: '/api/v1/actions', query: jobId ? { jobId } : { domain, timestamp } }),
      providesTags: ['Actions'],
    }),
  }),
});

export const { useGetActionsQuery } = actionsApi;
