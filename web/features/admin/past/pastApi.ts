import type {
  ChangeListResponse,
  ChangesResponse,
  PastBillResponse,
  PastFileResponse,
  PastJobResponse,
  PastReportResponse,
  PastSharesResponse,
  StepsResponse,
  UserChangesResponse,
} from '../../../../src/http/contract/admin/past.ts';
import type {
  PastJobsResponse,
  PastPromptsResponse,
  PastSequencesResponse,
  PastUserJobsResponse,
  PastUsersResponse,
} from '../../../../src/http/contract/admin/pastLists.ts';
import type { ChangeKind } from '../../../../src/model/history/changeKinds.ts';
import { api } from '../../../api/api.ts';

const path = (more: string): string => `/api/v1/admin/history/past/${more}`;
const ofJob = (jobId: string, more = ''): string => path(`jobs/${encodeURIComponent(jobId)}${more}`);
const ofBill = (userId: string, more = ''): string => path(`bills/${encodeURIComponent(userId)}${more}`);
/** Omitted for now. */
const moment = (at: string): { at?: string } => (at === '' ? {} : { at });

export interface JobThen {
  readonly jobId: string;
  readonly at: string;
}
interface Pages {
  readonly at: string;
  readonly status: string;
  readonly search: string;
}
interface Between {
  readonly from: string;
  readonly to: string;
}
const between = ({ from, to }: Between): Partial<Between> => ({
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
});
const pages = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }: { readonly cursor: string | null }) => cursor,
};

/** Kept only briefly, so that data erased meanwhile disappears from the screen too. */
const KEPT = { keepUnusedDataFor: 5 } as const;

const pastApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPastJob: build.query<PastJobResponse, JobThen>({
      query: ({ jobId, at }) => ({ path: ofJob(jobId), query: moment(at) }),
      ...KEPT,
    }),
    getPastReport: build.query<PastReportResponse, JobThen>({
      query: ({ jobId, at }) => ({ path: ofJob(jobId, '/report'), query: moment(at) }),
      ...KEPT,
    }),
    getPastFile: build.query<string | null, JobThen & { name: string }>({
      query: ({ jobId, at, name }) => ({ path: ofJob(jobId, `/files/${encodeURIComponent(name)}`), query: moment(at) }),
      transformResponse: ({ data }: PastFileResponse) => data?.content ?? null,
      ...KEPT,
    }),
    getPastShares: build.query<PastSharesResponse, JobThen>({
      query: ({ jobId, at }) => ({ path: ofJob(jobId, '/shares'), query: moment(at) }),
      ...KEPT,
    }),
    getJobSteps: build.query<StepsResponse, string>({ query: (jobId) => ({ path: ofJob(jobId, '/steps') }), ...KEPT }),
    getPastBill: build.query<PastBillResponse, { userId: string; at: string }>({
      query: ({ userId, at }) => ({ path: ofBill(userId), query: moment(at) }),
      ...KEPT,
    }),
    getBillSteps: build.query<StepsResponse, string>({
      query: (userId) => ({ path: ofBill(userId, '/steps') }),
      ...KEPT,
    }),
    listPastJobs: build.infiniteQuery<PastJobsResponse, Pages, string | null>({
      query: ({ queryArg: { at, ...asked }, pageParam: cursor }) => ({
        path: path('jobs'),
        query: { ...moment(at), ...asked, cursor },
      }),
      infiniteQueryOptions: pages,
      ...KEPT,
    }),
    listPastUserJobs: build.infiniteQuery<PastUserJobsResponse, { userId: string; at: string }, string | null>({
      query: ({ queryArg: { userId, at }, pageParam: cursor }) => ({
        path: path(`users/${encodeURIComponent(userId)}/jobs`),
        query: { ...moment(at), cursor },
      }),
      infiniteQueryOptions: pages,
      ...KEPT,
    }),
    listPastUsers: build.infiniteQuery<PastUsersResponse, Omit<Pages, 'status'>, string | null>({
      query: ({ queryArg: { at, search }, pageParam: cursor }) => ({
        path: path('users'),
        query: { ...moment(at), search, cursor },
      }),
      infiniteQueryOptions: pages,
      ...KEPT,
    }),
    getPastPrompts: build.query<PastPromptsResponse, string>({
      query: (at) => ({ path: path('prompts'), query: moment(at) }),
      ...KEPT,
    }),
    listPastSequences: build.infiniteQuery<PastSequencesResponse, string, string | null>({
      query: ({ queryArg: at, pageParam: cursor }) => ({ path: path('sequences'), query: { ...moment(at), cursor } }),
      infiniteQueryOptions: pages,
      ...KEPT,
    }),
    /** One part at a time; the caller adds them up. */
    listChanges: build.infiniteQuery<ChangesResponse, Between, string | null>({
      query: ({ queryArg, pageParam: after }) => ({ path: path('changes'), query: { ...between(queryArg), after } }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ next }) => next },
      ...KEPT,
    }),
    listChangesOfKind: build.infiniteQuery<ChangeListResponse, Between & { kind: ChangeKind }, string | null>({
      query: ({ queryArg: { kind, ...asked }, pageParam: cursor }) => ({
        path: path('change-list'),
        query: { ...between(asked), kind, cursor },
      }),
      infiniteQueryOptions: pages,
      ...KEPT,
    }),
    getUserChanges: build.query<UserChangesResponse, Between & { userId: string; of: 'user' | 'bill' }>({
      query: ({ userId, of, ...asked }) => ({
        path: path(`changes/${encodeURIComponent(userId)}`),
        query: { ...between(asked), of },
      }),
      ...KEPT,
    }),
  }),
});

export const {
  useGetPastJobQuery,
  useGetPastReportQuery,
  useGetPastFileQuery,
  useGetPastSharesQuery,
  useGetJobStepsQuery,
  useGetPastBillQuery,
  useGetBillStepsQuery,
  useListPastJobsInfiniteQuery,
  useListPastUserJobsInfiniteQuery,
  useListPastUsersInfiniteQuery,
  useGetPastPromptsQuery,
  useListPastSequencesInfiniteQuery,
  useListChangesInfiniteQuery,
  useListChangesOfKindInfiniteQuery,
  useGetUserChangesQuery,
} = pastApi;
