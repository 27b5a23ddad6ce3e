import type {
  CreateShareRequest,
  CreateShareResponse,
  ShareItem,
  SharesResponse,
} from '../../../src/http/contract/share.ts';
import { PAGE_LIMIT_MAX } from '../../../src/model/limits.ts';
import { api } from '../../api/api.ts';

/** The maximum number of links returned; users with more see the newest. */

export const sharingApi = api.enhanceEndpoints({ addTagTypes: ['Shares'] }).injectEndpoints({
  endpoints: (build) => ({
    listShares: build.query<readonly ShareItem[], void>({
      query: () => ({ path: '/api/v1/share/list/all', query: { limit: PAGE_LIMIT_MAX } }),
      transformResponse: (response: SharesResponse) => response.data,
      providesTags: ['Shares'],
    }),
    createShare: build.mutation<CreateShareResponse['data'], CreateShareRequest>({
      query: (body) => ({ path: '/api/v1/share/create', method: 'POST', body }),
      transformResponse: (response: CreateShareResponse) => response.data,
      invalidatesTags: ['Shares'],
    }),
    revokeShare: build.mutation<unknown, string>({
      query: (id) => ({ path: `/api/v1/share/${encodeURIComponent(id)}`, method: 'DELETE' }),
      invalidatesTags: (_, error) => (error ? [] : ['Shares']),
    }),
  }),
});

export const { useListSharesQuery, useCreateShareMutation, useRevokeShareMutation } = sharingApi;
