import type { ReportResponse, ReportSummary, ReportsResponse } from '../../../../src/http/contract/admin/reports.ts';
import { api } from '../../../api/api.ts';
import type { ReportRequest } from './reportRequest.ts';
import { queryOf } from './reportRequest.ts';

/** Seconds after which the server responds with its progress. */
const WAIT = 2;

export const reportsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listReports: build.query<readonly ReportSummary[], void>({
      query: () => ({ path: '/api/v1/admin/reports' }),
      transformResponse: (response: ReportsResponse) => response.data,
    }),
    getReport: build.query<ReportResponse, ReportRequest>({
      query: (asked) => ({
        path: `/api/v1/admin/reports/${encodeURIComponent(asked.report)}`,
        query: { ...queryOf(asked), wait: WAIT },
      }),
      // As of now, so it is stale when the page is reopened.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useListReportsQuery, useGetReportQuery } = reportsApi;
