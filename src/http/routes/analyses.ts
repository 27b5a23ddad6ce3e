/** Analyses as wholes: the list, deletion for good, and having items and summary written anew. */
import { deleteJob } from '../../commands/job/deleteJob.ts';
import { ensurePlan, regeneratePlan, rewriteSummary } from '../../commands/plan/regeneratePlan.ts';
import type { BoardItem } from '../../projections/boards.ts';
import { getJob, type JobDocument, listJobs } from '../../projections/jobs.ts';
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
import { jobNotFound } from '../errors.ts';
import { findNamedJob } from '../namedJob.ts';
import { presentAction, visibleOf } from '../present/action.ts';
import { caughtUp } from '../readYourWrites.ts';
import { type OwnJob, route } from '../route.ts';
import { JobParams } from './jobs.ts';

const PAGE = 100;
const MODELS_OF_A_PLAN = ['boards', 'jobs', 'jobFiles'];

export const getAnalyses = route({
  method: 'GET',
  path: '/actions/analyses',
  access: 'owner-of-named-job',
  summary: 'Own analyses, newest first: jobs that have ended and have a report',
  query: AnalysesQuery,
  response: AnalysesResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, job, query }) => {
    if (query.jobId !== undefined) return { success: true as const, analyses: analysesOf(job ? [job] : []), cursor: null };
    const { limit = PAGE, cursor } = query;
    const page = await listJobs(deps.readModels, caller.userId, { finished: true, limit, ...(cursor === undefined ? {} : { cursor }) });
    return { success: true as const, analyses: analysesOf(page.documents), cursor: page.cursor };
  },
});

export const deleteAnalysis = route({
  method: 'DELETE',
  path: '/actions/analyses/{jobId}',
  access: 'owner-of-job',
  summary: 'Delete an analysis with its actions, progress and files, for good',
  params: JobParams,
  response: DeleteAnalysisResponse,
  refusals: ['JOB_NOT_FINISHED'],
  handler: async ({ deps, params, command }) => {
    const { position } = await deleteJob(command, { jobId: params.jobId });
    await caughtUp(deps, [...MODELS_OF_A_PLAN, 'shares'], position);
    return { success: true as const, message: 'Analysis deleted successfully' };
  },
});

export const parseActions = route({
  method: 'POST',
  path: '/actions/parse',
  access: 'user',
  summary: 'The action items of the analysis with this folderPath; they are made where it ended without',
  body: ParseRequest,
  example: { folderPath: '{folderPath}' },
  response: GeneratedResponse,
  limit: 'generate',
  refusals: ['JOB_NOT_FOUND', 'JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED'],
  answerNotKept: true,
  handler: async ({ deps, caller, body, command }) => {
    const [domain = '', timestamp = ''] = body.folderPath.split('/');
    const job = await findNamedJob(deps.readModels, caller.userId, { domain, timestamp });
    if (!job) throw jobNotFound();
    const plan = await ensurePlan(command, deps.followUp, { jobId: job.id, userId: caller.userId });
    await caughtUp(deps, MODELS_OF_A_PLAN, plan.position);
    return generated(job, plan.items);
  },
});

export const regenerateActions = route({
  method: 'POST',
  path: '/jobs/{jobId}/regenerate-actions',
  access: 'owner-of-job',
  summary: 'Have the action items written anew from the stored findings; those that go on keep their progress and notes',
  params: JobParams,
  body: RegenerateRequest,
  example: {},
  response: GeneratedResponse,
  limit: 'generate',
  refusals: ['JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, command }) => {
    const { jobId } = params;
    const plan = await regeneratePlan(command, deps.followUp, { jobId, userId: caller.userId });
    await caughtUp(deps, MODELS_OF_A_PLAN, plan.position);
    const job = await getJob(deps.readModels, jobId);
    if (!job) throw jobNotFound();
    return generated(job, plan.items);
  },
});

export const generateSummary = route({
  method: 'POST',
  path: '/jobs/{jobId}/generate-executive-summary',
  access: 'owner-of-job',
  summary: 'Have the executive summary written anew, from the findings and the items as they stand',
  params: JobParams,
  response: SummaryResponse,
  limit: 'generate',
  refusals: ['JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ANALYSIS_TOO_OLD', 'RATE_LIMITED'],
  answerNotKept: true,
  handler: async ({ deps, caller, params, command }) => {
    const { text, by, position } = await rewriteSummary(command, deps.followUp, { jobId: params.jobId, userId: caller.userId });
    await caughtUp(deps, ['jobFiles'], position);
    return { success: true as const, executive_summary: text, analyst: by };
  },
});

function analysesOf(jobs: readonly OwnJob[]): AnalysisView[] {
  return jobs.flatMap(({ data }) => (data.finished && data.folderPath !== null ? [presentAnalysis(data, data.folderPath)] : []));
}

function presentAnalysis(job: JobDocument, folderPath: string): AnalysisView {
  const { jobId, host, createdAt, actionCount, score } = job;
  const analysis_timestamp = folderPath.slice(host.length + 1);
  return { id: jobId, jobId, domain: host, analysis_timestamp, created_at: createdAt, actions_count: actionCount, score };
}

function generated({ id, data }: OwnJob, items: readonly BoardItem[]): GeneratedResponse {
  return {
    success: true,
    actions: visibleOf(items, data.access).map((item) => presentAction(id, item)),
    actionsCount: items.length,
    message: items.length === 0 ? 'Nothing was found that needs an action' : `${items.length} ${items.length === 1 ? 'action' : 'actions'} generated`,
  };
}
