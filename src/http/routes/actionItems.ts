/** Working on one action item. */
import { z } from 'zod';
import { changeAction } from '../../commands/changeAction.ts';
import { ActionQuery, ActionResponse, type ActionStats, type ActionView, ProgressRequest } from '../contract/actions.ts';
import { actionNotFound } from '../errors.ts';
import { ownAction } from '../ownAction.ts';
import { presentAction, presentStats } from '../present/action.ts';
import { caughtUp } from '../readYourWrites.ts';
import { route } from '../route.ts';

const ActionParams = z.object({ actionId: z.string().min(1).max(200) });

export const setProgress = route({
  method: 'PUT',
  path: '/actions/{actionId}/progress',
  access: 'owner-of-named-job',
  summary: 'Move an action item, write notes on it, say how well it worked',
  params: ActionParams,
  query: ActionQuery,
  body: ProgressRequest,
  response: ActionResponse,
  refusals: ['ACTION_NOT_FOUND'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, query, body, command }) => {
    const { actionId } = params;
    const { jobId } = await ownAction(deps.readModels, caller.userId, actionId, query.jobId ?? body.jobId);
    const { status, notes, effectiveness_rating: rating } = body;
    const asked = { ...(status === undefined ? {} : { status }), ...(notes === undefined ? {} : { notes }), ...(rating === undefined ? {} : { rating }) };
    const changed = await changeAction(command, { type: 'ChangeAction', jobId, actionId, ...asked });
    await caughtUp(deps, ['boards'], changed.position);
    return { success: true as const, ...itemAnswer(jobId, actionId, changed.items) };
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
    const { jobId } = await ownAction(deps.readModels, caller.userId, actionId, query.jobId);
    const changed = await changeAction(command, { type: 'UndoMove', jobId, actionId });
    await caughtUp(deps, ['boards'], changed.position);
    return { success: true as const, ...itemAnswer(jobId, actionId, changed.items) };
  },
});

type Items = Awaited<ReturnType<typeof changeAction>>['items'];

/** From the plan's own state, which is never behind. */
function itemAnswer(jobId: string, actionId: string, items: Items): { action: ActionView; stats: ActionStats } {
  const item = items.find(({ id }) => id === actionId);
  if (!item) throw actionNotFound();
  return { action: presentAction(jobId, item), stats: presentStats(items) };
}
