import type { CheckJobResponse } from '../../../src/http/contract/actions.ts';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { api } from '../../api/api.ts';
import { isAccepted, newKey } from '../../api/call.ts';

interface Generated {
  readonly actions?: readonly unknown[];
  readonly actionsCount?: number;
  readonly pending?: true;
}

const jobPath = (jobId: string, what: string): string => `/api/v1/jobs/${encodeURIComponent(jobId)}/${what}`;
const checkPath = (jobId: string): string => `/api/v1/actions/check-job/${encodeURIComponent(jobId)}`;

const generateApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkJob: build.query<Pick<CheckJobResponse, 'hasActions' | 'actionCount'>, string>({
      query: (jobId) => ({ path: checkPath(jobId) }),
      transformResponse: ({ hasActions, actionCount }: CheckJobResponse) => ({ hasActions, actionCount }),
      keepUnusedDataFor: 0,
    }),
    generateActions: build.mutation<{ readonly number: number }, Pick<JobView, 'id' | 'folderPath'>>({
      queryFn: async ({ id, folderPath }, _api, _options, ask) => {
        const { data, error } = await ask({
          ...(folderPath
            ? { path: '/api/v1/actions/parse', body: { folderPath } }
            : { path: jobPath(id, 'regenerate-actions'), body: { jobId: id } }),
          method: 'POST',
          idempotencyKey: newKey(),
        });
        if (error) return { error };
        const { actions, actionsCount, pending } = data as Generated;
        if (!pending && !isAccepted(data)) return { data: { number: actionsCount ?? actions?.length ?? 0 } };
        // They are not in the response, as they were written after it or are shown later.
        const check = await ask({ path: checkPath(id) });
        return check.error
          ? { error: check.error }
          : { data: { number: (check.data as CheckJobResponse).actionCount } };
      },
      invalidatesTags: ['Actions'],
    }),
  }),
});

export const { useCheckJobQuery, useGenerateActionsMutation } = generateApi;
