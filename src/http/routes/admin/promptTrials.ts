/**
 * Tries prompts on finished audits: a worker calls the language model, and its answer is shown to the requester and
 * then discarded.
 */
import * as z from 'zod';
import { requestPromptTrial } from '../../../commands/promptTrial/requestPromptTrial.ts';
import { checkPromptText } from '../../../domain/prompt/prompt.ts';
import { getPromptTrial, type PromptTrialDocument } from '../../../projections/promptTrials.ts';
import { PreviewPromptRequest, PromptTrialResponse, PromptTrialStateResponse } from '../../contract/admin/prompts.ts';
import { awaitDocument } from '../../jobs/awaitRework.ts';
import { HttpError, jobNotFound } from '../../request/errors.ts';
import { route } from '../../routing/route.ts';
import { findingsToShow, keyOf, PromptParams } from './promptParts.ts';

export const postPromptTrial = route({
  method: 'POST',
  path: '/admin/prompts/{key}/trial',
  access: 'admin',
  summary:
    'Try this text on a finished job with the language model: returns its answer, and whether a report would use it',
  params: PromptParams,
  body: PreviewPromptRequest,
  example: { jobId: '{jobId}', content: 'Write two sentences on each of up to {{max_points}} actions.' },
  response: PromptTrialResponse,
  limit: 'generate',
  refusals: [
    'PROMPT_NOT_FOUND',
    'PROMPT_INVALID',
    'JOB_NOT_FOUND',
    'JOB_NOT_FINISHED',
    'FINDINGS_NOT_FOUND',
    'NO_MODEL',
    'PROMPT_TRIAL_PENDING',
    'RATE_LIMITED',
  ],
  // It contains data that a deletion must erase.
  answerNotKept: true,
  handler: async (request) => {
    const { deps, params, body, caller, command, log } = request;
    const key = keyOf(params);
    const { jobId, content } = body;
    checkPromptText(key, content);
    await findingsToShow(request, jobId);
    if (deps.system.llm.model === null)
      throw new HttpError('NO_MODEL', 'No language model is configured: the built-in analyst writes all texts.');
    const { ask, position } = await requestPromptTrial(command, { jobId, adminId: caller.userId, key, content });
    log().info({ event: 'prompt_tried', key, adminId: caller.userId, jobId }, 'a prompt is tried');
    const done = (trial: PromptTrialDocument): boolean => trial.ask >= ask && trial.status !== 'pending';
    const ended = await awaitDocument(request, { model: 'promptTrials', id: jobId, after: position }, done);
    if (ended === 'gone') throw jobNotFound();
    const pending = {
      job_id: jobId,
      key,
      ask,
      status: 'pending' as const,
      asked_at: deps.now(),
      failure: null,
      answer: null,
    };
    return { success: true as const, trial: ended?.data ?? pending };
  },
});

export const getPromptTrialState = route({
  method: 'GET',
  path: '/admin/prompts/trials/{jobId}',
  access: 'admin',
  summary: 'Get the outcome of your last prompt trial on a job; null once it is deleted',
  params: z.object({ jobId: z.string().min(1).max(200) }),
  response: PromptTrialStateResponse,
  handler: async ({ deps, params, caller }) => {
    const trial = (await getPromptTrial(deps.readModels, params.jobId))?.data;
    return { success: true as const, trial: trial?.adminId === caller.userId ? trial : null };
  },
});
