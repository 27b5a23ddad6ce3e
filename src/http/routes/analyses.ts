/** Whole audits: listing, permanent deletion, and regenerating items and summary. */
import { deleteJob } from '../../commands/job/deleteJob.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { getJob, type JobDocument, listJobs } from '../../projections/jobs.ts';
import { getReworks } from '../../projections/reworks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import {
  AnalysesQuery,
  AnalysesResponse,
  type AnalysisView,
  DeleteAnalysisResponse,
  GeneratedResponse,
  ParseRequest,
  RegenerateRequest,
  SummaryResponse,
} from '../contract/analyses.ts';
import { ReworksResponse } from '../contract/reworks.ts';
import { reworkAnswer } from '../jobs/awaitRework.ts';
import { findNamedJob } from '../jobs/namedJob.ts';
import { partsOfJob } from '../jobs/partsOfJob.ts';
import { presentAction, tasksOf, visibleOf } from '../present/action.ts';
import { presentSettings } from '../present/job.ts';
import { jobNotFound } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type OwnJob, type RouteRequest, route } from '../routing/route.ts';
import { JobParams } from './jobs.ts';

const PAGE = 100;

export const getAnalyses = route({
  method: 'GET',
  path: '/actions/analyses',
  access: 'owner-of-named-job',
  summary: 'List your audits, newest first: ended jobs with a report',
  query: AnalysesQuery,
  response: AnalysesResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, job, query }) => {
    if (query.jobId !== undefined)
      return { success: true as const, analyses: analysesOf(job ? [job] : []), cursor: null };
    const { limit = PAGE, cursor } = query;
    const page = await listJobs(deps.readModels, caller.userId, {
      finished: true,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { success: true as const, analyses: analysesOf(page.documents), cursor: page.cursor };
  },
});

export const deleteAnalysis = route({
  method: 'DELETE',
  path: '/actions/analyses/{jobId}',
  access: 'owner-of-job',
  summary: 'Delete an audit with its action items, progress and files, for good',
  params: JobParams,
  response: DeleteAnalysisResponse,
  refusals: ['JOB_NOT_FINISHED'],
  handler: async ({ deps, params, command }) => {
    const { position } = await deleteJob(command, { jobId: params.jobId });
    const answer = { success: true as const, message: 'Analysis deleted successfully' };
    return afterWrite(deps, { position, answer }, (shown) => partsOfJob(shown, params.jobId));
  },
});

export const parseActions = route({
  method: 'POST',
  path: '/actions/parse',
  access: 'user',
  summary: 'List the action items of the audit with this folderPath; they are created if it ended without any',
  body: ParseRequest,
  example: { folderPath: '{folderPath}' },
  response: GeneratedResponse,
  limit: 'generate',
  refusals: [
    'JOB_NOT_FOUND',
    'JOB_NOT_FINISHED',
    'ANALYSIS_WITHOUT_RESULT',
    'ANALYSIS_TOO_OLD',
    'RATE_LIMITED',
    'GIVEN_UP',
  ],
  answerNotKept: true,
  answerMayLag: true,
  handler: async (request) => {
    const { deps, caller, body } = request;
    const [domain = '', timestamp = ''] = body.folderPath.split('/');
    const job = await findNamedJob(deps.readModels, caller.userId, { domain, timestamp });
    if (!job) throw jobNotFound();
    if (job.data.finished && (await getBoard(deps.readModels, job.id))) return generated(deps.readModels, job);
    return regenerated(request, { jobId: job.id, userId: caller.userId });
  },
});

export const regenerateActions = route({
  method: 'POST',
  path: '/jobs/{jobId}/regenerate-actions',
  access: 'owner-of-job',
  summary: 'Rewrite the action items from the stored findings; items that remain keep their progress and notes',
  params: JobParams,
  body: RegenerateRequest,
  example: {},
  response: GeneratedResponse,
  limit: 'generate',
  refusals: ['JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED', 'GIVEN_UP'],
  answerNotKept: true,
  answerMayLag: true,
  handler: (request) => regenerated(request, { jobId: request.params.jobId, userId: request.caller.userId }),
});

export const generateSummary = route({
  method: 'POST',
  path: '/jobs/{jobId}/generate-executive-summary',
  access: 'owner-of-job',
  summary: 'Rewrite the executive summary from the current findings and items',
  params: JobParams,
  response: SummaryResponse,
  limit: 'generate',
  refusals: ['JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED', 'GIVEN_UP'],
  answerNotKept: true,
  answerMayLag: true,
  handler: async (request) => {
    const { deps, caller, params } = request;
    const { jobId } = params;
    const answer = await reworkAnswer(request, { jobId, userId: caller.userId, subject: { what: 'summary' } });
    if ('pending' in answer)
      return {
        success: true as const,
        pending: true as const,
        rework: answer.pending,
        executive_summary: '',
        analyst: '',
      };
    const made = { ids: { jobId }, location: `/jobs/${jobId}/files/executive-summary.md` };
    return afterWrite(deps, { position: answer.position, made }, async (shown) => {
      const file = await getJobFile(shown, jobId, 'executive-summary.md');
      if (!file) throw jobNotFound();
      return { success: true as const, executive_summary: file.data.content, analyst: answer.done.by ?? '' };
    });
  },
});

export const getJobReworks = route({
  method: 'GET',
  path: '/jobs/{jobId}/reworks',
  access: 'owner-of-job',
  summary: 'List pending reworks of an audit (action items, summary, verifications) and the outcome of the latest ones',
  params: JobParams,
  response: ReworksResponse,
  handler: async ({ deps, job }) => {
    const document = await getReworks(deps.readModels, job.id);
    return { success: true as const, reworks: Object.values(document?.data.reworks ?? {}) };
  },
});

function analysesOf(jobs: readonly OwnJob[]): AnalysisView[] {
  return jobs.flatMap(({ data }) =>
    data.finished && data.folderPath !== null ? [presentAnalysis(data, data.folderPath)] : [],
  );
}

function presentAnalysis(job: JobDocument, folderPath: string): AnalysisView {
  const { jobId, host, createdAt, actionCount, score, notJudged } = job;
  const analysis_timestamp = folderPath.slice(host.length + 1);
  return {
    id: jobId,
    jobId,
    domain: host,
    analysis_timestamp,
    created_at: createdAt,
    actions_count: actionCount,
    score,
    not_judged: notJudged,
    settings: presentSettings(job),
  };
}

async function regenerated(
  request: Pick<RouteRequest, 'deps' | 'command'>,
  requested: { readonly jobId: string; readonly userId: string },
): Promise<GeneratedResponse> {
  const { deps } = request;
  const { jobId } = requested;
  const answer = await reworkAnswer(request, { ...requested, subject: { what: 'plan' } });
  if ('pending' in answer) {
    return {
      success: true,
      pending: true,
      rework: answer.pending,
      actions: [],
      actionsCount: 0,
      message: 'The action items are being written',
    };
  }
  return afterWrite(
    deps,
    { position: answer.position, made: { ids: { jobId }, location: `/actions?jobId=${jobId}` } },
    async (shown) => {
      const [job] = await Promise.all([getJob(shown, jobId), getJobFile(shown, jobId, 'report.md')]);
      if (!job) throw jobNotFound();
      return generated(shown, job);
    },
  );
}

async function generated(readModels: ReadModels, { id, data }: OwnJob): Promise<GeneratedResponse> {
  const items = (await getBoard(readModels, id))?.data.items ?? [];
  const tasks = tasksOf(items).length;
  return {
    success: true,
    actions: visibleOf(items, data.access).map((item) => presentAction(id, item)),
    actionsCount: tasks,
    message:
      tasks === 0
        ? 'Nothing was found that needs an action'
        : `${tasks} ${tasks === 1 ? 'action' : 'actions'} generated`,
  };
}
