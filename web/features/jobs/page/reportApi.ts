/** An audit's findings, which the server filters, sorts and pages. */
import type {
  CausesQuery,
  CausesResponse,
  FindingsQuery,
  FindingsResponse,
} from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { LinksQuery, LinksResponse } from '../../../../src/http/contract/links.ts';
import type { PageResponse } from '../../../../src/http/contract/pageRecord.ts';
import type { PagesQuery, PagesResponse } from '../../../../src/http/contract/pages.ts';
import { api } from '../../../api/api.ts';

/** `version`: what the rows depend on beside the job; a new one refetches them. */
type Of<Query> = Query & { readonly jobId: string; readonly version: string };

export type Causes = CausesResponse['data'];
export type Findings = FindingsResponse['data'];
export type OnePage = PageResponse['data'];

const path = (jobId: string, rows: string): string => `/api/v1/jobs/${encodeURIComponent(jobId)}/${rows}`;

const reportApi = api.injectEndpoints({
  endpoints: (build) => ({
    listCauses: build.query<Causes, Of<CausesQuery>>({
      query: ({ jobId, version: _, ...query }) => ({ path: path(jobId, 'causes'), query }),
      transformResponse: (response: CausesResponse) => response.data,
      // Each names its task.
      providesTags: ['Actions'],
    }),
    listFindings: build.query<Findings, Of<FindingsQuery>>({
      query: ({ jobId, version: _, ...query }) => ({ path: path(jobId, 'findings'), query }),
      transformResponse: (response: FindingsResponse) => response.data,
    }),
    listLinks: build.infiniteQuery<LinksResponse, Of<LinksQuery>, string | null>({
      query: ({ queryArg: { jobId, version: _, ...query }, pageParam: cursor }) => ({
        path: path(jobId, 'links'),
        query: { ...query, cursor },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
    }),
    /** How many pages each filter has; of the pages themselves, one. */
    countPages: build.query<PagesResponse['data'], Of<PagesQuery>>({
      query: ({ jobId, version: _, ...query }) => ({
        path: path(jobId, 'pages'),
        query: { ...query, columns: 'url', limit: 1 },
      }),
      transformResponse: (response: PagesResponse) => response.data,
    }),
    /** The address that the audit began at; null if there is none. */
    getStart: build.query<string | null, Of<object>>({
      query: ({ jobId }) => ({
        path: path(jobId, 'pages'),
        query: { sort: 'clicksFromStart', columns: 'url', limit: 1 },
      }),
      transformResponse: (response: PagesResponse) => response.data.pages[0]?.url ?? null,
    }),
    getPage: build.query<OnePage, { jobId: string; version: string; url: string }>({
      query: ({ jobId, url }) => ({ path: path(jobId, 'page'), query: { url } }),
      transformResponse: (response: PageResponse) => response.data,
    }),
    listPages: build.infiniteQuery<PagesResponse, Of<PagesQuery>, string | null>({
      query: ({ queryArg: { jobId, version: _, ...query }, pageParam: cursor }) => ({
        path: path(jobId, 'pages'),
        query: { ...query, cursor },
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ cursor }) => cursor },
    }),
  }),
});

export const {
  useCountPagesQuery,
  useListCausesQuery,
  useListFindingsQuery,
  useGetPageQuery,
  useGetStartQuery,
  useListLinksInfiniteQuery,
  useListPagesInfiniteQuery,
} = reportApi;

/** Of the file with the pages of a view. */
export const pagesFilePath = (jobId: string): string => path(jobId, 'pages.csv');

/** A preview shows the findings of the first action items, so it grows with them. */
export function rowsOf(job: JobView): { readonly jobId: string; readonly version: string } {
  return {
    jobId: job.id,
    version: job.access === 'preview' ? `${job.action_generation_status} ${job.action_count}` : '',
  };
}
