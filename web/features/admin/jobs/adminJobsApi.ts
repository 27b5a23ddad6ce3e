import type * as z from 'zod';
import type {
  AdminJobChangedResponse,
  AdminJobResponse,
  AdminJobView,
  AdminReportResponse,
  AllJobsQuery,
  AllJobsResponse,
  JobEventsResponse,
} from '../../../../src/http/contract/admin/jobs.ts';
import type { AdminOverviewResponse } from '../../../../src/http/contract/admin/overview.ts';
import type { FileResponse } from '../../../../src/http/contract/jobs.ts';
import { api } from '../../../api/api.ts';
import { newKey } from '../../../api/call.ts';

/** Filters and order of the jobs. */
export type JobsRequest = Pick<AllJobsQuery, 'status' | 'sort' | 'order' | 'search' | 'limit'>;

const path = (jobId: string, more = ''): string => `/api/v1/admin/jobs/${encodeURIComponent(jobId)}${more}`;

export const adminJobsApi = api
  .enhanceEndpoints({ addTagTypes: ['AdminJob', 'AdminJobs', 'AdminOverview'] })
  .injectEndpoints({
    endpoints: (build) => ({
      adminOverview: build.query<AdminOverviewResponse['data'], void>({
        query: () => ({ path: '/api/v1/admin/overview' }),
        transformResponse: (response: AdminOverviewResponse) => response.data,
        providesTags: ['AdminOverview'],
      }),
      listAllJobs: build.infiniteQuery<AllJobsResponse, JobsRequest, string | null>({
        query: ({ queryArg, pageParam: cursor }) => ({
          path: '/api/v1/admin/all-jobs',
          query: { ...queryArg, cursor },
        }),
        infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
        providesTags: ['AdminJobs'],
      }),
      getAnyJob: build.query<AdminJobResponse['data'], string>({
        query: (jobId) => ({ path: path(jobId) }),
        transformResponse: (response: AdminJobResponse) => response.data,
        providesTags: ['AdminJob'],
      }),
      listJobEvents: build.infiniteQuery<JobEventsResponse, string, string | null>({
        query: ({ queryArg: jobId, pageParam: cursor }) => ({ path: path(jobId, '/events'), query: { cursor } }),
        infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
        providesTags: ['AdminJob'],
      }),
      getAnyReport: build.query<AdminReportResponse['data'], string>({
        query: (jobId) => ({ path: path(jobId, '/report') }),
        transformResponse: (response: AdminReportResponse) => response.data,
      }),
      getAnyFile: build.query<string, { jobId: string; name: string }>({
        query: ({ jobId, name }) => ({ path: path(jobId, `/files/${encodeURIComponent(name)}`) }),
        transformResponse: (response: z.infer<typeof FileResponse>) => response.data.content,
      }),
      cancelAnyJob: build.mutation<AdminJobView, string>({
        query: (jobId) => ({ path: path(jobId, '/cancel'), method: 'POST', body: {}, idempotencyKey: newKey() }),
        transformResponse: (response: AdminJobChangedResponse) => response.data,
        invalidatesTags: ['AdminJob', 'AdminJobs', 'AdminOverview'],
      }),
      /** Returns the new job. `key`: one per dialog, so that a repeated request is executed once. */
      retryAnyJob: build.mutation<AdminJobView, { readonly jobId: string; readonly key: string }>({
        query: ({ jobId, key }) => ({ path: path(jobId, '/retry'), method: 'POST', body: {}, idempotencyKey: key }),
        transformResponse: (response: AdminJobChangedResponse) => response.data,
        invalidatesTags: ['AdminJobs', 'AdminOverview'],
      }),
    }),
  });

export const {
  useAdminOverviewQuery,
  useListAllJobsInfiniteQuery,
  useGetAnyJobQuery,
  useListJobEventsInfiniteQuery,
  useGetAnyReportQuery,
  useGetAnyFileQuery,
  useCancelAnyJobMutation,
  useRetryAnyJobMutation,
} = adminJobsApi;
