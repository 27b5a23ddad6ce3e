/** The account as a whole: its history, export and deletion. */
import type {
  AccountDeletionResponse,
  AccountDeletionView,
  AccountExportStateResponse,
  AccountExportView,
} from '../../../src/http/contract/account.ts';
import type { SubscriptionHistoryResponse } from '../../../src/http/contract/billing.ts';
import { api } from '../../api/api.ts';

export const HISTORY_PAGE = 10;

const accountApi = api.enhanceEndpoints({ addTagTypes: ['AccountDeletion', 'AccountExport'] }).injectEndpoints({
  endpoints: (build) => ({
    getHistory: build.query<SubscriptionHistoryResponse['data'], string | null>({
      query: (cursor) => ({ path: '/api/v1/auth/subscription/history', query: { limit: HISTORY_PAGE, cursor } }),
      transformResponse: ({ data }: SubscriptionHistoryResponse) => ({
        ...data,
        pagination: { ...data.pagination, cursor: data.pagination.cursor ?? null },
      }),
      // A change to the bill adds a row to its history.
      providesTags: ['Subscription'],
    }),
    getDeletion: build.query<AccountDeletionView, void>({
      query: () => ({ path: '/api/v1/account/deletion' }),
      transformResponse: (response: AccountDeletionResponse) => response.data,
      providesTags: ['AccountDeletion'],
      keepUnusedDataFor: 0,
    }),
    getExport: build.query<AccountExportView | null, void>({
      query: () => ({ path: '/api/v1/account/export/state' }),
      transformResponse: (response: AccountExportStateResponse) => response.export,
      providesTags: ['AccountExport'],
    }),
    requestExport: build.mutation<AccountExportStateResponse, void>({
      query: () => ({ path: '/api/v1/account/export', method: 'POST' }),
      invalidatesTags: ['AccountExport'],
    }),
    loadExportFile: build.mutation<object, string>({
      query: (fileId) => ({ path: `/api/v1/account/export/files/${encodeURIComponent(fileId)}` }),
    }),
  }),
});

export const {
  useGetHistoryQuery,
  useLazyGetHistoryQuery,
  useGetDeletionQuery,
  useGetExportQuery,
  useRequestExportMutation,
  useLoadExportFileMutation,
} = accountApi;
