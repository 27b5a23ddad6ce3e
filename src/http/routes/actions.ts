import { START } from '../../eventStore/eventStore.ts';
import { type BoardDocument, getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { mayAsOwner } from '../auth/policy.ts';
import {
  ActionsQuery,
  ActionsResponse,
  CheckJobResponse,
  ExportQuery,
  ExportResponse,
  StatsResponse,
  SubscribeResponse,
} from '../contract/actions.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { findNamedJob } from '../jobs/namedJob.ts';
import { presentAction, presentStats, tasksOf, visibleItems } from '../present/action.ts';
import { exportFile } from '../present/actionExport.ts';
import { listInTurn } from '../reports/costlyTurns.ts';
import { jobNotFound } from '../request/errors.ts';
import { type OwnJob, route } from '../routing/route.ts';
import { JobParams } from './jobs.ts';

export const getActions = route({
  method: 'GET',
  path: '/actions',
  access: 'owner-of-named-job',
  summary: 'List the action items of one audit: by jobId, by domain (and timestamp), or of the newest',
  query: ActionsQuery,
  response: ActionsResponse,
  handler: ({ deps, job, caller, command, signal }) =>
    listInTurn(caller.userId, signal, async () => {
      const position = (await deps.readModels.servedPosition('boards')) ?? START;
      const board = await boardOf(deps, job);
      if (job && board) deps.reportOpenings.note({ job, caller, command });
      const shown = job && board ? visibleItems(board, job.data.access) : [];
      return {
        success: true as const,
        jobId: job?.data.jobId ?? null,
        actions: shown.map((item) => presentAction(job?.data.jobId ?? '', item)),
        executiveSummary: job ? await summaryOf(deps, job.data.jobId) : null,
        isFreemiumPreview: job?.data.access === 'preview',
        totalActionsAvailable: tasksOf(board?.items ?? []).length,
        actionsShown: tasksOf(shown).length,
        analyst: board?.by ?? job?.data.analyst ?? null,
        position,
      };
    }),
});

export const getStats = route({
  method: 'GET',
  path: '/actions/stats',
  access: 'owner-of-named-job',
  summary: 'Get the progress on one audit, counting the items that its plan unlocks',
  query: ActionsQuery,
  response: StatsResponse,
  handler: ({ deps, job, caller, signal }) =>
    listInTurn(caller.userId, signal, async () => ({
      success: true as const,
      stats: presentStats((await boardOf(deps, job))?.items ?? [], job?.data.access ?? 'preview'),
    })),
});

export const checkJob = route({
  method: 'GET',
  path: '/actions/check-job/{jobId}',
  access: 'owner-of-job',
  summary: 'Get whether a job has action items, and how many',
  params: JobParams,
  response: CheckJobResponse,
  handler: ({ deps, job, caller, signal }) =>
    listInTurn(caller.userId, signal, async () => {
      const actionCount = tasksOf((await boardOf(deps, job))?.items ?? []).length;
      return { success: true as const, hasActions: actionCount > 0, actionCount };
    }),
});

export const subscribeActions = route({
  method: 'POST',
  path: '/actions/subscribe',
  access: 'owner-of-named-job',
  summary:
    'Get the websocket channel for live changes of one audit: by jobId, by domain (and timestamp), or of the newest',
  query: ActionsQuery,
  response: SubscribeResponse,
  handler: async ({ deps, caller, query }) => {
    const job = await findNamedJob(deps.readModels, caller.userId, query);
    if (!job || !mayAsOwner(caller, 'read', { kind: 'job', ownerId: job.data.userId }))
      throw jobNotFound({ anothers: job !== null });
    return {
      success: true as const,
      channel: `actions:${job.id}`,
      table: 'actions' as const,
      filter: `job_id=eq.${job.id}`,
    };
  },
});

export const exportActions = route({
  method: 'GET',
  path: '/actions/export',
  access: 'owner-of-named-job',
  summary: 'Download the visible action items of one audit as JSON, or as CSV for a spreadsheet',
  query: ExportQuery,
  response: ExportResponse,
  refusals: ['JOB_NOT_FOUND'],
  handler: ({ deps, job, query, caller, signal }) =>
    listInTurn(caller.userId, signal, async () => {
      if (!job) throw jobNotFound();
      const board = await boardOf(deps, job);
      const actions = (board ? visibleItems(board, job.data.access) : []).map((item) => presentAction(job.id, item));
      return {
        success: true as const,
        data: exportFile(query.format, {
          job: job.data,
          actions,
          total: tasksOf(board?.items ?? []).length,
          at: deps.now(),
        }),
      };
    }),
});

async function boardOf({ readModels }: HttpDeps, job: OwnJob | null): Promise<BoardDocument | null> {
  return job ? ((await getBoard(readModels, job.data.jobId))?.data ?? null) : null;
}

async function summaryOf({ readModels }: HttpDeps, jobId: string): Promise<string | null> {
  return (await getJobFile(readModels, jobId, 'executive-summary.md'))?.data.content ?? null;
}
