import type { GroupsQuery, GroupsResponse } from '../../../../src/http/contract/findings.ts';
import { api } from '../../../api/api.ts';

/** `version`: what the groups depend on beside the job; a new one refetches them. */
type Asked = Omit<GroupsQuery, 'cursor'> & { readonly jobId: string; readonly version: string };

const groupsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listGroups: build.infiniteQuery<GroupsResponse, Asked, string | null>({
      query: ({ queryArg: { jobId, version: _, ...query }, pageParam: cursor }) => ({
        path: `/api/v1/jobs/${encodeURIComponent(jobId)}/groups`,
        query: { ...query, cursor },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
    }),
  }),
});

export const { useListGroupsInfiniteQuery } = groupsApi;
