import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type * as z from 'zod';
import type {
  BatchResponse,
  DeleteJobsResponse,
  FileResponse as FileResponseSchema,
  JobResponse as JobResponseSchema,
  JobsResponse as JobsResponseSchema,
  JobView,
  ProcessResponse,
} from '../../../src/http/contract/jobs.ts';
import type { CrawlSettings } from '../../../src/model/crawlSettings.ts';
import { api } from '../../api/api.ts';
import { type ApiCall, isAccepted, newKey } from '../../api/call.ts';
import { asFailure } from '../../api/failure.ts';
import { emptyJobs, type JobsCache, mergeList, putJob, removeJob } from './jobsCache.ts';
import { jobStarted } from './jobsSlice.ts';

type JobsResponse = z.infer<typeof JobsResponseSchema>;
type JobResponse = z.infer<typeof JobResponseSchema>;
type FileResponse = z.infer<typeof FileResponseSchema>;

const PAGE = 500;
/** The maximum number of finished jobs held; users with more see the newest and a note. */
export const MAX_FINISHED = 2000;

export const jobsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listJobs: build.query<JobsCache, void>({
      queryFn: async (_, _api, _options, query) => {
        const askedAt = Date.now();
        const jobs: JobView[] = [];
        let cursor: string | null = null;
        let position = '';
        do {
          const call: ApiCall = { path: '/api/v1/jobs', query: { limit: PAGE, cursor } };
          const answer = await query(call);
          if (answer.error) return { error: answer.error };
          const page = answer.data as JobsResponse;
          jobs.push(...page.data.active, ...page.data.completed);
          cursor = page.cursor;
          position ||= page.position;
        } while (cursor && jobs.length < MAX_FINISHED);
        const cache = emptyJobs();
        mergeList(cache, { jobs, truncated: cursor !== null, askedAt, position });
        return { data: cache };
      },
      merge: (held, fresh) => {
        mergeList(held, { ...fresh, jobs: Object.values(fresh.jobs) });
      },
      keepUnusedDataFor: 3600,
    }),
    getJob: build.query<JobView, string>({
      query: (id) => ({ path: `/api/v1/jobs/${encodeURIComponent(id)}` }),
      transformResponse: (response: JobResponse) => response.data,
      async onQueryStarted(id, { dispatch, queryFulfilled }) {
        try {
          const { data } = await queryFulfilled;
          dispatch(patchJobs((cache) => putJob(cache, data, Date.now())));
        } catch (rejection) {
          const { error } = rejection as { error?: unknown };
          if (asFailure(error).status === 404) dispatch(patchJobs((cache) => removeJob(cache, id)));
        }
      },
    }),
    submitJob: build.mutation<JobView, { url: string; options?: CrawlSettings; once?: string }>({
      query: ({ once = newKey(), ...body }) => ({
        path: '/api/v1/process',
        method: 'POST',
        body,
        idempotencyKey: once,
      }),
      transformResponse: (response: ProcessResponse) => response.data ?? response.job,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const job = await queryFulfilled.catch(() => null);
        if (job) dispatch(addSubmitted([job.data]));
      },
      invalidatesTags: ['Subscription'],
    }),
    submitBatch: build.mutation<JobView[], { urls: string[]; options?: CrawlSettings; once: string }>({
      query: ({ once, ...body }) => ({ path: '/api/v1/process/batch', method: 'POST', body, idempotencyKey: once }),
      transformResponse: (response: BatchResponse) => response.jobs,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const jobs = await queryFulfilled.catch(() => null);
        if (jobs) dispatch(addSubmitted(jobs.data));
      },
      invalidatesTags: ['Subscription'],
    }),
    cancelJob: build.mutation<JobView, string>({
      query: (id) => ({
        path: `/api/v1/jobs/${encodeURIComponent(id)}/cancel`,
        method: 'POST',
        body: {},
        idempotencyKey: newKey(),
      }),
      transformResponse: (response: JobResponse) => response.data,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const job = await queryFulfilled.catch(() => null);
        if (job?.data) dispatch(patchJobs((cache) => putJob(cache, job.data, Date.now())));
        else if (job) await dispatch(reloadJobs());
      },
      invalidatesTags: ['Subscription'],
    }),
    /** Unlocks a preview. Succeeds if another tab did so already. */
    unlockJob: build.mutation<JobView, string>({
      queryFn: async (id, _api, _options, query) => {
        const path = `/api/v1/jobs/${encodeURIComponent(id)}`;
        let answer = await query({ path: `${path}/unlock`, method: 'POST', body: {}, idempotencyKey: newKey() });
        if (isAccepted(answer.data) || (answer.error && asFailure(answer.error).code === 'ALREADY_UNLOCKED'))
          answer = await query({ path });
        return answer.error ? { error: answer.error } : { data: (answer.data as JobResponse).data };
      },
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const job = await queryFulfilled.catch(() => null);
        if (!job) return;
        dispatch(patchJobs((cache) => putJob(cache, job.data, Date.now())));
        dispatch(jobsApi.util.updateQueryData('getJob', id, () => job.data));
      },
      invalidatesTags: ['Actions', 'Files', 'Subscription'],
    }),
    deleteJob: build.mutation<unknown, string>({
      query: (id) => ({ path: `/api/v1/jobs/${encodeURIComponent(id)}`, method: 'DELETE' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const gone = await queryFulfilled.then(
          () => true,
          (rejection: { error?: unknown }) => asFailure(rejection.error).status === 404,
        );
        if (gone) dispatch(patchJobs((cache) => removeJob(cache, id)));
      },
    }),
    deleteAllJobs: build.mutation<DeleteJobsResponse, void>({
      query: () => ({ path: '/api/v1/jobs', method: 'DELETE' }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        // Even after an error, as some may have been deleted.
        await queryFulfilled.catch(() => null);
        await dispatch(reloadJobs());
      },
    }),
    /** `version`: what the text depends on beside its name; a new one refetches it. */
    getFile: build.query<string, { jobId: string; name: string; version?: string }>({
      query: ({ jobId, name }) => ({
        path: `/api/v1/jobs/${encodeURIComponent(jobId)}/files/${encodeURIComponent(name)}`,
      }),
      transformResponse: (response: FileResponse) => response.data?.content as string,
      providesTags: ['Files'],
    }),
  }),
});

/**
 * Waits for a request that is in flight, whose response may be older than the reason to reload; RTK Query would ignore
 * the new one.
 */
export function reloadJobs() {
  return async (
    dispatch: ThunkDispatch<
      Parameters<ReturnType<typeof jobsApi.endpoints.listJobs.select>>[0],
      unknown,
      UnknownAction
    >,
  ): Promise<void> => {
    await dispatch(jobsApi.util.getRunningQueryThunk('listJobs', undefined));
    await dispatch(jobsApi.endpoints.listJobs.initiate(undefined, { forceRefetch: true, subscribe: false }));
  };
}

export function patchJobs(change: (cache: JobsCache) => void) {
  return jobsApi.util.updateQueryData('listJobs', undefined, change);
}

function addSubmitted(jobs: readonly JobView[]) {
  return (dispatch: (action: ReturnType<typeof patchJobs> | ReturnType<typeof jobStarted>) => unknown): void => {
    dispatch(
      patchJobs((cache) => {
        for (const job of jobs) putJob(cache, job, Date.now());
      }),
    );
    dispatch(jobStarted(jobs.map((job) => job.id)));
  };
}

export const {
  useListJobsQuery,
  useGetJobQuery,
  useSubmitJobMutation,
  useSubmitBatchMutation,
  useCancelJobMutation,
  useUnlockJobMutation,
  useDeleteJobMutation,
  useDeleteAllJobsMutation,
  useGetFileQuery,
} = jobsApi;
