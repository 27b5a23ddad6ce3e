import type { UserProgressResponse, UserProgressSort } from '../../../../src/http/contract/admin/userProgress.ts';
import type {
  AdminUserHistoryResponse,
  AdminUserJobsResponse,
  AdminUserMailsResponse,
  AdminUserResponse,
  AdminUserView,
  GrantCreditsRequest,
  GrantCreditsResponse,
  ResumePlanRequest,
} from '../../../../src/http/contract/admin/users.ts';
import { api } from '../../../api/api.ts';

export interface ProgressOrder {
  readonly sort: UserProgressSort;
  readonly order: 'asc' | 'desc';
  /** Prefix of the email; empty for all users. */
  readonly search: string;
}

const pathOf = (userId: string, below = ''): string => `/api/v1/admin/users/${encodeURIComponent(userId)}${below}`;

export const usersApi = api.enhanceEndpoints({ addTagTypes: ['AdminUsers', 'AdminUser'] }).injectEndpoints({
  endpoints: (build) => ({
    listUserProgress: build.infiniteQuery<UserProgressResponse, ProgressOrder, string | null>({
      query: ({ queryArg: { search, ...order }, pageParam: cursor }) => ({
        path: '/api/v1/admin/user-progress',
        query: { ...order, ...(search === '' ? {} : { search }), ...(cursor === null ? {} : { cursor }) },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      providesTags: ['AdminUsers'],
    }),
    getUser: build.query<AdminUserView, string>({
      query: (userId) => ({ path: pathOf(userId) }),
      transformResponse: (response: AdminUserResponse) => response.data,
      providesTags: ['AdminUser'],
    }),
    listUserHistory: build.infiniteQuery<AdminUserHistoryResponse, string, string | null>({
      query: ({ queryArg: userId, pageParam: cursor }) => ({ path: pathOf(userId, '/history'), query: { cursor } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      providesTags: ['AdminUser'],
    }),
    listUserJobs: build.infiniteQuery<AdminUserJobsResponse, string, string | null>({
      query: ({ queryArg: userId, pageParam: cursor }) => ({ path: pathOf(userId, '/jobs'), query: { cursor } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      providesTags: ['AdminUser'],
    }),
    listUserMails: build.infiniteQuery<AdminUserMailsResponse, string, string | null>({
      query: ({ queryArg: userId, pageParam: cursor }) => ({ path: pathOf(userId, '/mails'), query: { cursor } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
      providesTags: ['AdminUser'],
    }),
    /** `key`: one per dialog, so that a repeated request is executed once. */
    grantCredits: build.mutation<
      GrantCreditsResponse,
      GrantCreditsRequest & { readonly userId: string; readonly key: string }
    >({
      query: ({ userId, key, ...body }) => ({
        path: pathOf(userId, '/credits'),
        method: 'POST',
        body,
        idempotencyKey: key,
      }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUser']),
    }),
    /** `key`: as for a grant. */
    resumePlan: build.mutation<unknown, ResumePlanRequest & { readonly userId: string; readonly key: string }>({
      query: ({ userId, key, ...body }) => ({
        path: pathOf(userId, '/plan/resume'),
        method: 'POST',
        body,
        idempotencyKey: key,
      }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUser']),
    }),
    setSignIn: build.mutation<unknown, { readonly userId: string; readonly enabled: boolean }>({
      query: ({ userId, enabled }) => ({ path: pathOf(userId, '/sign-in'), method: 'PUT', body: { enabled } }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUser']),
    }),
    setAdminRight: build.mutation<unknown, { readonly userId: string; readonly admin: boolean }>({
      query: ({ userId, admin }) => ({ path: pathOf(userId, '/admin-right'), method: 'PUT', body: { admin } }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUser']),
    }),
    /** Without a session, ends all of them. */
    endUserSessions: build.mutation<unknown, { readonly userId: string; readonly sessionId?: string }>({
      query: ({ userId, sessionId }) => ({
        path: pathOf(userId, sessionId === undefined ? '/sessions' : `/sessions/${encodeURIComponent(sessionId)}`),
        method: 'DELETE',
      }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUser']),
    }),
    deleteUser: build.mutation<unknown, { readonly userId: string; readonly email: string }>({
      query: ({ userId, email }) => ({ path: pathOf(userId), method: 'DELETE', body: { email } }),
      invalidatesTags: (_, error) => (error ? [] : ['AdminUsers']),
    }),
  }),
});

export const {
  useListUserProgressInfiniteQuery,
  useGetUserQuery,
  useListUserHistoryInfiniteQuery,
  useListUserJobsInfiniteQuery,
  useListUserMailsInfiniteQuery,
  useGrantCreditsMutation,
  useResumePlanMutation,
  useSetAdminRightMutation,
  useSetSignInMutation,
  useEndUserSessionsMutation,
  useDeleteUserMutation,
} = usersApi;
