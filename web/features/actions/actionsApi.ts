import type {
  ActionResponse,
  ActionsResponse,
  ExportResponse,
  ProgressRequest,
  VerifyResponse,
} from '../../../src/http/contract/actions.ts';
import type { SummaryResponse } from '../../../src/http/contract/analyses.ts';
import { api, NEWEST_ACTIONS } from '../../api/api.ts';
import { newKey } from '../../api/call.ts';

/** Identifies an audit: by its job, by a site (the newest, or the one of that time), or the newest of all. */
export interface AnalysisKey {
  readonly jobId: string | null;
  readonly domain: string | null;
  readonly timestamp: string | null;
}

/** The audit is part of the key, since item ids repeat across audits. */
interface ItemKey {
  readonly jobId: string;
  readonly actionId: string;
}

// The job identifies the audit exactly; the site in the address is for people.
const queryOf = ({ jobId, domain, timestamp }: AnalysisKey) => (jobId ? { jobId } : { domain, timestamp });
const itemPath = ({ actionId }: ItemKey, what: string): string =>
  `/api/v1/actions/${encodeURIComponent(actionId)}/${what}`;

export const actionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getActions: build.query<ActionsResponse, AnalysisKey>({
      query: (key) => ({ path: '/api/v1/actions', query: queryOf(key) }),
      providesTags: (_data, _error, { jobId }) => (jobId ? ['Actions'] : ['Actions', NEWEST_ACTIONS]),
    }),
    setProgress: build.mutation<ActionResponse, ItemKey & { readonly change: Omit<ProgressRequest, 'jobId'> }>({
      query: ({ change, ...key }) => ({
        path: itemPath(key, 'progress'),
        method: 'PUT',
        body: { ...change, jobId: key.jobId },
      }),
      invalidatesTags: ['Actions'],
    }),
    undoMove: build.mutation<ActionResponse, ItemKey>({
      query: (key) => ({ path: itemPath(key, 'undo'), method: 'POST', query: { jobId: key.jobId } }),
      invalidatesTags: ['Actions'],
    }),
    verifyAction: build.mutation<VerifyResponse, ItemKey>({
      query: (key) => ({ path: itemPath(key, 'verify'), method: 'POST', query: { jobId: key.jobId } }),
      invalidatesTags: ['Actions'],
    }),
    generateSummary: build.mutation<SummaryResponse, string>({
      query: (jobId) => ({
        path: `/api/jobs/${encodeURIComponent(jobId)}/generate-executive-summary`,
        method: 'POST',
        body: {},
        idempotencyKey: newKey(),
      }),
      invalidatesTags: ['Actions'],
    }),
    exportActions: build.mutation<ExportResponse, { readonly jobId: string; readonly format: 'csv' | 'json' }>({
      query: (query) => ({ path: '/api/v1/actions/export', query }),
    }),
  }),
});

export const {
  useGetActionsQuery,
  useSetProgressMutation,
  useUndoMoveMutation,
  useVerifyActionMutation,
  useGenerateSummaryMutation,
  useExportActionsMutation,
} = actionsApi;
