/** How an audited site is built. */
import type { Structure, StructureResponse } from '../../../../src/http/contract/structure.ts';
import { api } from '../../../api/api.ts';

const structureApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** `version`: what it depends on beside the job. */
    getStructure: build.query<Structure, { readonly jobId: string; readonly version: string }>({
      query: ({ jobId }) => ({ path: `/api/v1/jobs/${encodeURIComponent(jobId)}/structure` }),
      transformResponse: (response: StructureResponse) => response.data,
    }),
  }),
});

export const { useGetStructureQuery } = structureApi;
