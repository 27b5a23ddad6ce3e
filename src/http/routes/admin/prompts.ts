/** The language model's prompts, for admins: editing, restoring and previewing. */
import * as z from 'zod';
import { revertPrompt, savePrompt } from '../../../commands/prompt/editPrompt.ts';
import { checkPromptText } from '../../../domain/prompt/prompt.ts';
import type { Position } from '../../../eventStore/eventStore.ts';
import { BUILT_IN_PROMPTS } from '../../../model/prompts/builtIn.ts';
import { PROMPT_KEYS, type PromptKey, promptName } from '../../../model/prompts/prompt.ts';
import type { AccountDocument } from '../../../projections/accounts.ts';
import { getBoard } from '../../../projections/boards.ts';
import { listPromptVersions, newestPrompt } from '../../../projections/prompts.ts';
import {
  PreviewPromptRequest,
  PreviewPromptResponse,
  PromptHistoryQuery,
  PromptHistoryResponse,
  PromptResponse,
  PromptsResponse,
  RevertPromptQuery,
  SavePromptRequest,
} from '../../contract/admin/prompts.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { presentDelivered, presentPrompt, presentVersion } from '../../present/admin/prompt.ts';
import { HttpError } from '../../request/errors.ts';
import { afterWrite } from '../../routing/afterWrite.ts';
import { route } from '../../routing/route.ts';
import { findingsToShow, keyOf, PromptParams } from './promptParts.ts';

const HISTORY_PAGE = 20;

const shown = async ({ readModels }: Pick<HttpDeps, 'readModels'>, key: PromptKey) =>
  presentPrompt(key, await newestPrompt(readModels, key));

/** The prompt as of that position. */
function written(deps: HttpDeps, key: PromptKey, position: Position) {
  const made = { ids: { key }, location: '/admin/prompts' };
  return afterWrite(deps, { position, made }, async (readModels) => ({
    success: true as const,
    prompt: await shown({ readModels }, key),
  }));
}

export const getPrompts = route({
  method: 'GET',
  path: '/admin/prompts',
  access: 'admin',
  summary: 'List the prompts for the language model, each in its newest version',
  response: PromptsResponse,
  handler: async ({ deps }) => ({
    success: true as const,
    prompts: await Promise.all(PROMPT_KEYS.map((key) => shown(deps, key))),
  }),
});

export const putPrompt = route({
  method: 'PUT',
  path: '/admin/prompts/{key}',
  access: 'admin',
  summary: 'Save the next version of a prompt; the next audit uses it',
  params: PromptParams,
  body: SavePromptRequest,
  example: {
    content: 'Write two sentences on each of up to {{max_points}} actions.',
    name: 'Executive summary',
    description: 'For a reader who is not technical',
    is_active: true,
    change_note: 'Shorter',
  },
  response: PromptResponse,
  refusals: ['PROMPT_NOT_FOUND', 'PROMPT_INVALID', 'PROMPT_CHANGED'],
  answerMayLag: true,
  handler: async ({ deps, caller, params, body, command, log }) => {
    const key = keyOf(params);
    const { content, name, description, is_active: active, change_note: note, version } = body;
    const { userId: adminId } = caller;
    const position = await savePrompt(command, {
      key,
      name,
      description,
      content,
      active,
      note: note || null,
      basedOn: version ?? null,
      adminId,
    });
    log().info({ event: 'prompt_saved', key, adminId }, 'a prompt was saved');
    return written(deps, key, position);
  },
});

export const getPromptHistory = route({
  method: 'GET',
  path: '/admin/prompts/{key}/history',
  access: 'admin',
  summary: 'List the versions of a prompt, newest first, ending with the delivered one',
  params: PromptParams,
  query: PromptHistoryQuery,
  response: PromptHistoryResponse,
  refusals: ['PROMPT_NOT_FOUND', 'INVALID_CURSOR'],
  handler: async ({ deps, params, query: { limit = HISTORY_PAGE, cursor } }) => {
    const key = keyOf(params);
    const page = await listPromptVersions(deps.readModels, key, { limit, cursor });
    const accounts = await deps.readModels.getMany<AccountDocument>('accounts', [
      ...new Set(page.documents.map(({ data }) => data.adminId)),
    ]);
    const emails = new Map(accounts.map(({ id, data }) => [id, data.email]));
    const saved = page.documents.map(({ data }) => presentVersion(data, (userId) => emails.get(userId)));
    return {
      success: true as const,
      history: page.cursor === null ? [...saved, presentDelivered(key)] : saved,
      cursor: page.cursor,
    };
  },
});

export const postPromptRevert = route({
  method: 'POST',
  path: '/admin/prompts/{key}/revert/{versionId}',
  access: 'admin',
  summary: 'Make an earlier version of a prompt the newest again',
  params: PromptParams.extend({ versionId: z.string().min(1).max(80) }),
  query: RevertPromptQuery,
  response: PromptResponse,
  refusals: ['PROMPT_NOT_FOUND', 'PROMPT_VERSION_NOT_FOUND', 'PROMPT_INVALID', 'PROMPT_CHANGED'],
  answerMayLag: true,
  handler: async ({ deps, caller, params, query, command, log }) => {
    const key = keyOf(params);
    const { userId: adminId } = caller;
    const position = await revertPrompt(command, {
      key,
      revertTo: versionIn(params.versionId, key),
      basedOn: query.version ?? null,
      adminId,
    });
    log().info({ event: 'prompt_reverted', key, adminId, to: params.versionId }, 'a prompt was reverted');
    return written(deps, key, position);
  },
});

export const postPromptPreview = route({
  method: 'POST',
  path: '/admin/prompts/{key}/preview',
  access: 'admin',
  summary: 'Preview what the language model would be asked about a finished job with this text; no model is called',
  params: PromptParams,
  body: PreviewPromptRequest,
  example: { jobId: '{jobId}', content: 'Write two sentences on each of up to {{max_points}} actions.' },
  response: PreviewPromptResponse,
  refusals: ['PROMPT_NOT_FOUND', 'PROMPT_INVALID', 'JOB_NOT_FOUND', 'FINDINGS_NOT_FOUND', 'ANALYSIS_TOO_OLD'],
  // It contains data that a deletion must erase.
  answerNotKept: true,
  handler: async (request) => {
    const { deps, params, body } = request;
    const key = keyOf(params);
    const { jobId, content } = body;
    checkPromptText(key, content);
    const { host, findings } = await findingsToShow(request, jobId);
    const board = await getBoard(deps.readModels, jobId);
    const preview = await deps.reports.promptPreview(
      { ...BUILT_IN_PROMPTS[key], content },
      findings,
      board?.data.items ?? [],
    );
    if (!preview)
      throw new HttpError('ANALYSIS_TOO_OLD', 'This audit is too old to be asked about. Choose a newer one.');
    return { success: true as const, preview: { job_id: jobId, host, ...preview, model: deps.system.llm.model } };
  },
});

/** @throws HttpError PROMPT_VERSION_NOT_FOUND if it is not a version of this prompt */
function versionIn(versionId: string, key: PromptKey): number {
  const version = Number(/@([1-9]\d{0,8})$/.exec(versionId)?.[1] ?? 0);
  if (versionId !== promptName({ key, version }))
    throw new HttpError('PROMPT_VERSION_NOT_FOUND', 'There is no such version.');
  return version;
}
