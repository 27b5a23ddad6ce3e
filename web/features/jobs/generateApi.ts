import type { CheckJobResponse } from '../../../src/http/contract/actions.ts';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { api } from '../../api/api.ts';
import { newKey } from '../../api/call.ts';

interface Generated {
  readonly actions?: readonly unknown[];
  readonly actionsCount?: number;
}

const generateApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkJob: build.query<Pick<CheckJobResponse, 'hasActions' | 'actionCount'>, string>({
      query: (jobId) => ({ path: `/api/v1/actions/check-job/${encodeURIComponent(jobId)}` }),
      transformResponse: ({ hasActions, actionCount }: CheckJobResponse) => ({ hasActions, actionCount }),
      keepUnusedDataFor: 0,
    }),
    generateActions: build.mutation<{ readonly number: number }, Pick<JobView, 'id' | 'folderPath'>>({
      query: ({ id, folderPath }) => ({
        ...(folderPath
          ? { path: '/api/v1/actions/parse', body: { folderPath } }
          : { path: `/api/v1/jobs/${encodeURIComponent(id)}/regenerate-actions`, body: { jobId: id } }),
        method: 'POST',
        idempotencyKey: newKey(),
      }),
      transformResponse: ({ actions, actionsCount }: Generated) => ({ number: actionsCount ?? actions?.length ?? 0 }),
      invalidatesTags: ['Actions'],
    }),
  }),
});

export const { useCheckJobQuery, useGenerateActionsMutation } = generateApi;
