/** Working on one action item. */
import * as z from 'zod';
import { changeAction } from '../../commands/plan/changeAction.ts';
import { readVerification } from '../../commands/plan/readVerification.ts';
import { getBoard } from '../../projections/boards.ts';
import {
  ActionQuery,
  ActionResponse,
  type ActionStats,
  type ActionView,
  FixQuery,
  FixResponse,
  ProgressRequest,
  VerifyResponse,
} from '../contract/actions.ts';
import type { FindingView } from '../contract/findings.ts';
import { reworkAnswer } from '../jobs/awaitRework.ts';
import { type OwnAction, ownAction } from '../jobs/ownAction.ts';
import { presentAction, presentStats } from '../present/action.ts';
import { listInTurn } from '../reports/costlyTurns.ts';
import { listFindings } from '../reports/listFindings.ts';
import { openReport } from '../reports/openReport.ts';
import type { Caller } from '../request/caller.ts';
import { actionNotFound } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type OwnJob, type RouteRequest, route } from '../routing/route.ts';

const ActionParams = z.object({ actionId: z.string().min(1).max(200) });

export const getFix = route({
  method: 'GET',
  path: '/actions/{actionId}/fix',
  access: 'owner-of-named-job',
  summary: 'Get what it takes to fix an action item: its findings with places and code, its check, and the proof',
  params: ActionParams,
  query: FixQuery,
  response: FixResponse,
  limit: 'reportRows',
  refusals: ['ACTION_NOT_FOUND', 'INVALID_CURSOR'],
  handler: ({ deps, caller, params, query, command, signal }) =>
    listInTurn(caller.userId, signal, async () => {
      const { actionId } = params;
      const { jobId: asked, ...page } = query;
      const { jobId, job, item } = await ownAction(deps, caller.userId, actionId, asked);
      const { checkId } = item;
      const [checks, report] = await Promise.all([deps.reports.checks(), openReport(deps, job.data)]);
      deps.reportOpenings.note({ job, caller, command });
      const rows = report && (await listFindings(report, { cause: checkId, ...page }, jobId));
      return {
        success: true as const,
        data: {
          jobId,
          action: presentAction(jobId, item),
          check: checks.find(({ id }) => id === checkId) ?? null,
          // Without columns, all of them are there.
          findings: (rows?.data.findings ?? []) as FindingView[],
          total: rows?.data.total ?? 0,
          acceptance:
            'It is fixed once the same checks, run again on the live pages where it was found, find nothing there: POST /actions/{actionId}/verify runs them, and completes the item if all pass.',
        },
        cursor: rows?.cursor ?? null,
      };
    }),
});

/** Reads up to twenty boards. Only that is in turn: what follows may wait for others. @throws as `ownAction` */
const actionInTurn = (
  { deps, caller, signal }: Pick<RouteRequest, 'deps' | 'signal'> & { readonly caller: Caller },
  actionId: string,
  jobId: string | undefined,
): Promise<OwnAction> => listInTurn(caller.userId, signal, () => ownAction(deps, caller.userId, actionId, jobId));

export const setProgress = route({
  method: 'PUT',
  path: '/actions/{actionId}/progress',
  access: 'owner-of-named-job',
  summary: 'Move an action item, edit its notes, rate how well it worked, or make an optional one a task',
  params: ActionParams,
  query: ActionQuery,
  body: ProgressRequest,
  example: { status: 'in-progress' },
  response: ActionResponse,
  refusals: ['ACTION_NOT_FOUND', 'NOT_OPTIONAL'],
  answerNotKept: true,
  handler: async (request) => {
    const { deps, params, query, body, command } = request;
    const { actionId } = params;
    const { jobId, job } = await actionInTurn(request, actionId, query.jobId ?? body.jobId);
    const { status, notes, effectiveness_rating: rating, optional } = body;
    const requested = {
      ...(status === undefined ? {} : { status }),
      ...(notes === undefined ? {} : { notes }),
      ...(rating === undefined ? {} : { rating }),
      ...(optional === undefined ? {} : { optional }),
    };
    const changed = await changeAction(command, { type: 'ChangeAction', jobId, actionId, ...requested });
    const answer = { success: true as const, ...itemAnswer(job, actionId, changed.items) };
    return afterWrite(deps, { position: changed.position, answer }, (shown) => getBoard(shown, jobId));
  },
});

export const undoMove = route({
  method: 'POST',
  path: '/actions/{actionId}/undo',
  access: 'owner-of-named-job',
  summary: 'Undo the last move of an action item',
  params: ActionParams,
  query: ActionQuery,
  response: ActionResponse,
  refusals: ['ACTION_NOT_FOUND', 'NOTHING_TO_UNDO'],
  answerNotKept: true,
  handler: async (request) => {
    const { deps, params, query, command } = request;
    const { actionId } = params;
    const { jobId, job } = await actionInTurn(request, actionId, query.jobId);
    const changed = await changeAction(command, { type: 'UndoMove', jobId, actionId });
    const answer = { success: true as const, ...itemAnswer(job, actionId, changed.items) };
    return afterWrite(deps, { position: changed.position, answer }, (shown) => getBoard(shown, jobId));
  },
});

export const verifyAction = route({
  method: 'POST',
  path: '/actions/{actionId}/verify',
  access: 'owner-of-named-job',
  summary: 'Run an action item’s checks again on its pages; if all pass, it is completed',
  params: ActionParams,
  query: ActionQuery,
  response: VerifyResponse,
  limit: 'verify',
  refusals: ['ACTION_NOT_FOUND', 'JOB_NOT_FINISHED', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED', 'GIVEN_UP'],
  answerNotKept: true,
  handler: async (request) => {
    const { deps, caller, params, query } = request;
    const { actionId } = params;
    const { jobId, job } = await actionInTurn(request, actionId, query.jobId);
    const answer = await reworkAnswer(request, {
      jobId,
      userId: caller.userId,
      subject: { what: 'verification', actionId },
    });
    if ('pending' in answer) {
      const now = itemAnswer(job, actionId, (await getBoard(deps.readModels, jobId))?.data.items ?? []);
      return {
        success: true as const,
        pending: true as const,
        rework: answer.pending,
        verification: null,
        results: [],
        completed: false,
        ...now,
      };
    }
    const { items, results } = await readVerification(deps.store, { jobId, actionId });
    const { action, stats } = itemAnswer(job, actionId, items);
    const verified = {
      success: true as const,
      verification: action.last_verification,
      results: results.map(({ findingId, ...result }) => ({ finding_id: findingId, ...result })),
      completed: action.status === 'completed' && action.completed_at === action.last_verification?.at,
      action,
      stats,
    };
    return afterWrite(deps, { position: answer.position, answer: verified }, (shown) => getBoard(shown, jobId));
  },
});

type Items = Awaited<ReturnType<typeof changeAction>>['items'];

/** Built from the plan's own state, which never lags. */
function itemAnswer(
  { data: { jobId, access } }: OwnJob,
  actionId: string,
  items: Items,
): { action: ActionView; stats: ActionStats } {
  const item = items.find(({ id }) => id === actionId);
  if (!item) throw actionNotFound();
  return { action: presentAction(jobId, item), stats: presentStats(items, access) };
}
