import type {
  PreviewPromptResponse,
  PromptHistoryResponse,
  PromptResponse,
  PromptsResponse,
  PromptTrialResponse,
  PromptTrialStateResponse,
  PromptTrialView,
  PromptView,
  SavePromptRequest,
} from '../../../../src/http/contract/admin/prompts.ts';
import type { PromptKey } from '../../../../src/model/prompts/prompt.ts';
import { api } from '../../../api/api.ts';
import { newKey } from '../../../api/call.ts';

const PROMPTS = '/api/v1/admin/prompts';
/** Polling interval in ms, as a model takes several seconds. */
const ASK_AGAIN_MS = 2_000;

export const promptsApi = api.enhanceEndpoints({ addTagTypes: ['PromptHistory', 'Prompts'] }).injectEndpoints({
  endpoints: (build) => ({
    listPrompts: build.query<readonly PromptView[], void>({
      query: () => ({ path: PROMPTS }),
      transformResponse: (response: PromptsResponse) => response.prompts,
      providesTags: ['Prompts'],
    }),
    savePrompt: build.mutation<
      PromptView,
      { readonly key: PromptKey; readonly body: SavePromptRequest; readonly once: string }
    >({
      query: ({ key, body, once }) => ({ path: `${PROMPTS}/${key}`, method: 'PUT', body, idempotencyKey: once }),
      transformResponse: (response: PromptResponse) => response.prompt,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const saved = await queryFulfilled.catch(() => null);
        if (saved?.data) dispatch(taken(saved.data));
      },
      invalidatesTags: (saved, error) => (error ? [] : saved ? ['PromptHistory'] : ['PromptHistory', 'Prompts']),
    }),
    listPromptHistory: build.query<
      Omit<PromptHistoryResponse, 'success'>,
      { readonly key: PromptKey; readonly cursor: string | null }
    >({
      query: ({ key, cursor }) => ({
        path: `${PROMPTS}/${key}/history`,
        ...(cursor === null ? {} : { query: { cursor } }),
      }),
      providesTags: ['PromptHistory'],
      // Always refetched on opening.
      keepUnusedDataFor: 0,
    }),
    revertPrompt: build.mutation<
      PromptView,
      { readonly key: PromptKey; readonly versionId: string; readonly newest: number }
    >({
      query: ({ key, versionId, newest }) => ({
        path: `${PROMPTS}/${key}/revert/${encodeURIComponent(versionId)}`,
        method: 'POST',
        query: { version: String(newest) },
        idempotencyKey: newKey(),
      }),
      transformResponse: (response: PromptResponse) => response.prompt,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const saved = await queryFulfilled.catch(() => null);
        if (saved?.data) dispatch(taken(saved.data));
      },
      // Also after a refusal: it may say that there is a newer version.
      invalidatesTags: (saved, error) => (saved || error ? ['PromptHistory'] : ['PromptHistory', 'Prompts']),
    }),
    previewPrompt: build.mutation<
      PreviewPromptResponse['preview'],
      { readonly key: PromptKey; readonly body: { readonly jobId: string; readonly content: string } }
    >({
      query: ({ key, body }) => ({ path: `${PROMPTS}/${key}/preview`, method: 'POST', body }),
      transformResponse: (response: PreviewPromptResponse) => response.preview,
    }),
    /** Null when the answer expired before it was fetched. */
    tryPrompt: build.mutation<
      PromptTrialView | null,
      { readonly key: PromptKey; readonly body: { readonly jobId: string; readonly content: string } }
    >({
      queryFn: async ({ key, body }, { signal }, _options, query) => {
        const asked = await query({ path: `${PROMPTS}/${key}/trial`, method: 'POST', body });
        if (asked.error) return { error: asked.error };
        const { trial: first } = asked.data as PromptTrialResponse;
        let trial: PromptTrialView | null = first;
        while (!signal.aborted && trial && (trial.status === 'pending' || trial.ask < first.ask)) {
          await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
          const now = await query({ path: `${PROMPTS}/trials/${body.jobId}` });
          if (now.error) return { error: now.error };
          trial = (now.data as PromptTrialStateResponse).trial;
        }
        return { data: trial };
      },
    }),
  }),
});

function taken(prompt: PromptView) {
  return promptsApi.util.updateQueryData('listPrompts', undefined, (all) =>
    all.map((each) => (each.key === prompt.key ? prompt : each)),
  );
}

export const {
  useListPromptsQuery,
  useSavePromptMutation,
  useListPromptHistoryQuery,
  useRevertPromptMutation,
  usePreviewPromptMutation,
  useTryPromptMutation,
} = promptsApi;
