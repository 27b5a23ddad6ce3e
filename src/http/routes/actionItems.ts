/** Working on one action item. */
import { z } from 'zod';
import { changeAction } from '../../commands/plan/changeAction.ts';
import { TOO_OLD } from '../../commands/plan/followUp.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { ActionQuery, ActionResponse, type ActionStats, type ActionView, ProgressRequest, VerifyResponse } from '../contract/actions.ts';
import { actionNotFound, HttpError } from '../errors.ts';
import { ownAction } from '../ownAction.ts';
import { presentAction, presentStats } from '../present/action.ts';
import { caughtUp } from '../readYourWrites.ts';
import { type OwnJob, route } from '../route.ts';

/** Findings that a verification's answer lists; the counts say how many there were. */
const MAX_RESULTS = 200;

const ActionParams = z.object({ actionId: z.string().min(1).max(200) });

export const setProgress = route({
  method: 'PUT',
  path: '/actions/{actionId}/progress',
  access: 'owner-of-named-job',
  summary: 'Move an action item, write notes on it, say how well it worked',
  params: ActionParams,
  query: ActionQuery,
  body: ProgressRequest,
  example: { status: 'in-progress' },
  response: ActionResponse,
  refusals: ['ACTION_NOT_FOUND'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, query, body, command }) => {
    const { actionId } = params;
    const { jobId, job } = await ownAction(deps.readModels, caller.userId, actionId, query.jobId ?? body.jobId);
    const { status, notes, effectiveness_rating: rating } = body;
    const asked = { ...(status === undefined ? {} : { status }), ...(notes === undefined ? {} : { notes }), ...(rating === undefined ? {} : { rating }) };
    const changed = await changeAction(command, { type: 'ChangeAction', jobId, actionId, ...asked });
    await caughtUp(deps, ['boards'], changed.position);
    return { success: true as const, ...itemAnswer(job, actionId, changed.items) };
  },
});

export const undoMove = route({
  method: 'POST',
  path: '/actions/{actionId}/undo',
  access: 'owner-of-named-job',
  summary: 'Take back the last move of an action item: it stands as before it',
  params: ActionParams,
  query: ActionQuery,
  response: ActionResponse,
  refusals: ['ACTION_NOT_FOUND', 'NOTHING_TO_UNDO'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, query, command }) => {
    const { actionId } = params;
    const { jobId, job } = await ownAction(deps.readModels, caller.userId, actionId, query.jobId);
    const changed = await changeAction(command, { type: 'UndoMove', jobId, actionId });
    await caughtUp(deps, ['boards'], changed.position);
    return { success: true as const, ...itemAnswer(job, actionId, changed.items) };
  },
});

export const verifyAction = route({
  method: 'POST',
  path: '/actions/{actionId}/verify',
  access: 'owner-of-named-job',
  summary: 'Run the checks of an action item on its pages again, on the site as it is now; what is fixed is completed',
  params: ActionParams,
  query: ActionQuery,
  response: VerifyResponse,
  limit: 'verify',
  refusals: ['ACTION_NOT_FOUND', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED', 'BUSY'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, query, command }) => {
    const { actionId } = params;
    const { jobId, job, item } = await ownAction(deps.readModels, caller.userId, actionId, query.jobId);
    const findings = await getJobFile(deps.readModels, jobId, 'findings.json');
    if (!findings) throw new HttpError('ANALYSIS_TOO_OLD', TOO_OLD);
    const { verification, results } = await deps.followUp.verify(findings.data.content, item.findingIds);
    const changed = await changeAction(command, { type: 'RecordVerification', jobId, actionId, verification });
    await caughtUp(deps, ['boards'], changed.position);
    const { action, stats } = itemAnswer(job, actionId, changed.items);
    if (action.last_verification === null) throw new Error('a verification that was recorded is not there');
    return {
      success: true as const,
      verification: action.last_verification,
      results: results.slice(0, MAX_RESULTS).map(({ findingId, ...result }) => ({ finding_id: findingId, ...result })),
      completed: changed.completed,
      action,
      stats,
    };
  },
});

type Items = Awaited<ReturnType<typeof changeAction>>['items'];

/** From the plan's own state, which is never behind. */
function itemAnswer({ data: { jobId, access } }: OwnJob, actionId: string, items: Items): { action: ActionView; stats: ActionStats } {
  const item = items.find(({ id }) => id === actionId);
  if (!item) throw actionNotFound();
  return { action: presentAction(jobId, item), stats: presentStats(items, access) };
}
