import type { UserProgressResponse, UserProgressSort } from '../../../../src/http/contract/admin/userProgress.ts';
import { api } from '../../../api/api.ts';

export interface ProgressOrder {
  readonly sort: UserProgressSort;
  readonly order: 'asc' | 'desc';
  /** What addresses begin with; empty: everybody. */
  readonly search: string;
}

export const usersApi = api.enhanceEndpoints({ addTagTypes: ['AdminUsers'] }).injectEndpoints({
  endpoints: (build) => ({
    listUserProgress: build.infiniteQuery<UserProgressResponse, ProgressOrder, string | null>({
      query: ({ queryArg: { search, ...order }, pageParam: cursor }) => ({
        path: '/api/v1/admin/user-progress',
        query: { ...order, ...(search === '' ? {} : { search }), ...(cursor === null ? {} : { cursor }) },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      providesTags: ['AdminUsers'],
    }),
  }),
});

export const { useListUserProgressInfiniteQuery } = usersApi;
