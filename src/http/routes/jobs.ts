import * as z from 'zod';
import { cancelJob } from '../../commands/job/cancelJob.ts';
import { deleteJob } from '../../commands/job/deleteJob.ts';
import { deleteJobs } from '../../commands/job/deleteJobs.ts';
import { unlockJob } from '../../commands/job/unlockJob.ts';
import { START } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { getBilling } from '../../projections/billing.ts';
import { listRunning } from '../../projections/jobIndex.ts';
import { getJob, type JobDocument, listJobs, listJobsById } from '../../projections/jobs.ts';
import { getShares } from '../../projections/shares.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { DeleteJobResponse, DeleteJobsResponse, JobResponse, JobsQuery, JobsResponse } from '../contract/jobs.ts';
import { partsOfJob } from '../jobs/partsOfJob.ts';
import { presentJobs } from '../jobs/presentJobs.ts';
import { withReason } from '../money/insufficientCredits.ts';
import { countRefusal } from '../money/refusedSubmission.ts';
import { presentJob } from '../present/job.ts';
import { jobNotFound } from '../request/errors.ts';
import { afterWrite, type Made } from '../routing/afterWrite.ts';
import { route } from '../routing/route.ts';

export const JobParams = z.object({ jobId: z.string().min(1).max(200) });

/** Finished jobs per page; those under way are few and all included. */
const PAGE = 100;
const ALL = 1000;

export const getJobs = route({
  method: 'GET',
  path: '/jobs',
  access: 'user',
  summary: 'List your jobs, newest first: all under way, and a page of finished ones',
  query: JobsQuery,
  response: JobsResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, query }) => {
    const now = deps.now();
    const position = (await deps.readModels.servedPosition('jobs')) ?? START;
    // Read first: a job that ends between the two reads appears in both, never in neither.
    const running = query.cursor ? [] : await listUnderWay(deps.readModels, caller.userId);
    const finished = await listJobs(deps.readModels, caller.userId, {
      finished: true,
      limit: query.limit ?? PAGE,
      ...(query.cursor ? { cursor: query.cursor } : {}),
    });
    const ended = new Set(finished.documents.map((job) => job.id));
    const active = await presentJobs(
      deps,
      running.filter((job) => !ended.has(job.id)),
      now,
    );
    return {
      success: true as const,
      data: { active, completed: finished.documents.map((job) => presentJob(job, now)) },
      cursor: finished.cursor,
      position,
    };
  },
});

/** The newest queued jobs, and all that have started, which a thousand newer ones would otherwise push out. */
async function listUnderWay(readModels: ReadModels, userId: string): Promise<readonly StoredDocument<JobDocument>[]> {
  const { documents: newest, cursor } = await listJobs(readModels, userId, { finished: false, limit: ALL });
  if (cursor === null) return newest;
  const listed = new Set(newest.map((job) => job.id));
  const begun = (await listRunning(readModels, userId)).map(({ jobId }) => jobId).filter((jobId) => !listed.has(jobId));
  return [...newest, ...(await listJobsById(readModels, begun))];
}

export const getOneJob = route({
  method: 'GET',
  path: '/jobs/{jobId}',
  access: 'owner-of-job',
  summary: 'Get one job',
  params: JobParams,
  response: JobResponse,
  handler: async ({ deps, job }) => {
    const [view = presentJob(job, deps.now())] = await presentJobs(deps, [job], deps.now());
    return { success: true as const, data: view };
  },
});

const madeJob = (jobId: string): Made => ({ ids: { jobId }, location: `/jobs/${jobId}` });

async function jobAnswer(readModels: ReadModels, now: string, jobId: string): Promise<JobResponse> {
  const job = await getJob(readModels, jobId);
  if (!job) throw jobNotFound();
  return { success: true, data: presentJob(job, now) };
}

export const cancelOneJob = route({
  method: 'POST',
  path: '/jobs/{jobId}/cancel',
  access: 'owner-of-job',
  summary:
    'Cancel a job that is under way. Without findings it does not count against the allowance, for up to ten started jobs a day',
  params: JobParams,
  response: JobResponse,
  refusals: ['JOB_ALREADY_FINISHED'],
  answerMayLag: true,
  handler: async ({ deps, params, command }) => {
    const { position } = await cancelJob(command, { jobId: params.jobId });
    return afterWrite(deps, { position, made: madeJob(params.jobId) }, (shown) =>
      jobAnswer(shown, deps.now(), params.jobId),
    );
  },
});

export const unlockOneJob = route({
  method: 'POST',
  path: '/jobs/{jobId}/unlock',
  access: 'owner-of-job',
  sessionOnly: true,
  summary: 'Unlock a preview: takes one audit from the plan, the credits or the funds; nothing is run again',
  params: JobParams,
  response: JobResponse,
  refusals: ['INSUFFICIENT_CREDITS', 'JOB_NOT_FINISHED', 'ANALYSIS_WITHOUT_RESULT', 'ALREADY_UNLOCKED'],
  answerMayLag: true,
  handler: async ({ deps, params, caller, command }) => {
    const { reportPrice, unlimited } = deps.config;
    const { position } = await unlockJob(command, {
      jobId: params.jobId,
      price: reportPrice ?? undefined,
      unbilled: unlimited,
    })
      .catch(withReason)
      .catch(countRefusal({ deps, caller }));
    return afterWrite(deps, { position, made: madeJob(params.jobId) }, async (shown) => {
      await Promise.all([getBilling(shown, caller.userId), getShares(shown, params.jobId)]);
      return jobAnswer(shown, deps.now(), params.jobId);
    });
  },
});

export const deleteOneJob = route({
  method: 'DELETE',
  path: '/jobs/{jobId}',
  access: 'owner-of-job',
  summary: 'Delete a finished job with its files and action items, for good',
  params: JobParams,
  response: DeleteJobResponse,
  refusals: ['JOB_NOT_FINISHED'],
  handler: async ({ deps, params, command }) => {
    const { position } = await deleteJob(command, { jobId: params.jobId });
    const answer = { success: true as const, message: 'Job deleted successfully' };
    return afterWrite(deps, { position, answer }, (shown) => partsOfJob(shown, params.jobId));
  },
});

type JobIds = { readonly running: readonly string[]; readonly finished: readonly string[] };

/**
 * Jobs under way are cancelled, which returns their audits to the allowance. The work done before responding does not
 * grow with the number of jobs.
 */
export const deleteAllJobs = route({
  method: 'DELETE',
  path: '/jobs',
  access: 'user',
  summary: 'Delete all jobs with their files and action items, for good; those under way are canceled first',
  response: DeleteJobsResponse,
  plan: ({ deps, caller }) => allJobs(deps.readModels, caller.userId),
  handler: async ({ deps, caller, command, plan }) => {
    const { running, finished } = plan ?? (await allJobs(deps.readModels, caller.userId));
    const jobIds = [...new Set([...running, ...finished])];
    const { position } = await deleteJobs(command, { userId: caller.userId, jobIds });
    const message = `${jobIds.length} ${jobIds.length === 1 ? 'job' : 'jobs'} deleted`;
    const answer = { success: true as const, message, data: { deleted_count: jobIds.length } };
    return afterWrite(deps, { position, answer }, (shown) => partsOfJob(shown, jobIds[0] ?? ''));
  },
});

async function allJobs(readModels: ReadModels, userId: string): Promise<JobIds> {
  return { running: await idsOf(readModels, userId, false), finished: await idsOf(readModels, userId, true) };
}

async function idsOf(readModels: ReadModels, userId: string, finished: boolean): Promise<readonly string[]> {
  const pace = createPace('request');
  const jobIds: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listJobs>> = await listJobs(readModels, userId, {
      finished,
      limit: ALL,
      ...(cursor ? { cursor } : {}),
    });
    jobIds.push(...page.documents.map((document) => document.data.jobId));
    cursor = page.cursor;
    await pace.pass();
  } while (cursor);
  return jobIds;
}
