/** One job of any user. Each view of another user's job is recorded; changes are made on behalf of its owner. */

import { cancelJob } from '../../../commands/job/cancelJob.ts';
import { retryJob } from '../../../commands/job/retryJob.ts';
import { jobStream } from '../../../domain/job/events.ts';
import { getAccount, listAccountsById } from '../../../projections/accounts.ts';
import { getBilling } from '../../../projections/billing.ts';
import { getBoard } from '../../../projections/boards.ts';
import { countUnderWay } from '../../../projections/jobIndex.ts';
import { getJob, showsFiles } from '../../../projections/jobs.ts';
import { onBehalfOf, recordView } from '../../auth/administering.ts';
import {
  AdminJobChangedResponse,
  AdminJobResponse,
  AdminReportResponse,
  JobEventsQuery,
  JobEventsResponse,
} from '../../contract/admin/jobs.ts';
import { FileResponse } from '../../contract/jobs.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { withProgress } from '../../jobs/liveProgress.ts';
import { visibleItems } from '../../present/action.ts';
import { presentAdminJob } from '../../present/admin/job.ts';
import { presentJobEvent } from '../../present/admin/jobEvent.ts';
import { listCauses } from '../../reports/listFindings.ts';
import { openFile } from '../../reports/openFile.ts';
import { openReport } from '../../reports/openReport.ts';
import { jobNotFound } from '../../request/errors.ts';
import { afterWrite, type Made } from '../../routing/afterWrite.ts';
import { justSubmitted } from '../../routing/justMade.ts';
import { type OwnJob, type RouteRequest, route } from '../../routing/route.ts';
import { FileParams } from '../files.ts';
import { JobParams } from '../jobs.ts';
import { payingFor, sharesOf, workOf } from './jobFacts.ts';

type Looking = Pick<
  RouteRequest<{ readonly jobId: string }, unknown, unknown, 'admin'>,
  'deps' | 'caller' | 'command' | 'params'
>;

const madeJob = (jobId: string): Made => ({ ids: { jobId }, location: `/admin/jobs/${jobId}` });
const EVENTS = 100;

export const getAnyJob = route({
  method: 'GET',
  path: '/admin/jobs/{jobId}',
  access: 'admin',
  summary: 'Get any user’s job: its stages, what paid for it, what it is waiting for. The view is recorded',
  params: JobParams,
  response: AdminJobResponse,
  refusals: ['JOB_NOT_FOUND'],
  handler: async (request) => {
    const { deps, caller } = request;
    const job = await jobFor(request, 'job');
    const { userId, finished, status } = job.data;
    const [owner, paid, work, shares] = await Promise.all([
      getAccount(deps.readModels, userId),
      payingFor(deps.store, job.data),
      workOf(deps, job.id),
      sharesOf(deps.readModels, job.id),
    ]);
    const { email = null, name = null } = owner?.data ?? {};
    return {
      success: true as const,
      data: {
        job: presentAdminJob(withProgress(job, deps.liveProgress), owner?.data ?? null, deps.now()),
        own: caller.userId === userId,
        owner: { id: userId, email, name },
        can: { cancel: !finished, retry: status === 'failed' && owner !== null },
        paid,
        work,
        shares,
        report: showsFiles(job.data) && job.data.files.length > 0,
      },
    };
  },
});

export const getJobEvents = route({
  method: 'GET',
  path: '/admin/jobs/{jobId}/events',
  access: 'admin',
  summary: 'List what happened to a job, oldest first',
  params: JobParams,
  query: JobEventsQuery,
  response: JobEventsResponse,
  refusals: ['JOB_NOT_FOUND'],
  handler: async (request) => {
    const { deps, query } = request;
    const { id } = await jobFor(request, 'job');
    const { limit = EVENTS, cursor } = query;
    const read = await deps.store.read(jobStream(id), {
      limit: limit + 1,
      ...(cursor === undefined ? {} : { from: BigInt(cursor) }),
    });
    if (read.status !== 'found') throw jobNotFound();
    const events = read.events.slice(0, limit);
    const admins = events.flatMap(({ metadata: { actor } }) => (actor.kind === 'admin' ? [actor.id] : []));
    const emailOf = new Map(
      (await listAccountsById(deps.readModels, [...new Set(admins)])).map((admin) => [admin.id, admin.data.email]),
    );
    const next = read.events[limit];
    return {
      success: true as const,
      data: events.map((event) => presentJobEvent(event, emailOf)),
      cursor: next ? String(next.revision) : null,
    };
  },
});

export const getAnyReport = route({
  method: 'GET',
  path: '/admin/jobs/{jobId}/report',
  access: 'admin',
  summary: 'Get a job’s findings as its owner sees them. The view is recorded',
  params: JobParams,
  response: AdminReportResponse,
  refusals: ['JOB_NOT_FOUND'],
  handler: async (request) => {
    const { deps } = request;
    const { data: job } = await jobFor(request, 'report');
    const isShown = showsFiles(job);
    const report = isShown ? await openReport(deps, job) : null;
    const board = await getBoard(deps.readModels, job.jobId);
    const items = board ? visibleItems(board.data, job.access) : [];
    return {
      success: true as const,
      data: { files: isShown ? [...job.files] : [], found: report && (await listCauses(report, {}, items)) },
    };
  },
});

export const getAnyFile = route({
  method: 'GET',
  path: '/admin/jobs/{jobId}/files/{fileName}',
  access: 'admin',
  summary: 'Get the text of one of a job’s files as its owner sees it. The view is recorded',
  params: FileParams,
  response: FileResponse,
  refusals: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND'],
  handler: async (request) => {
    const job = await jobFor(request, 'report');
    return { success: true as const, data: await openFile(request.deps, job.data, request.params.fileName) };
  },
});

export const cancelAnyJob = route({
  method: 'POST',
  path: '/admin/jobs/{jobId}/cancel',
  access: 'admin',
  summary: 'Cancel a job on behalf of its owner',
  params: JobParams,
  response: AdminJobChangedResponse,
  refusals: ['JOB_NOT_FOUND', 'JOB_ALREADY_FINISHED'],
  answerMayLag: true,
  handler: async (request) => {
    const { deps } = request;
    const { id, data } = await anyJob(deps, request.params.jobId);
    const { position } = await cancelJob(onBehalfOf(request, 'change', { kind: 'job', ownerId: data.userId }), {
      jobId: id,
    });
    return afterWrite(deps, { position, made: madeJob(id) }, (readModels) => changed({ ...deps, readModels }, id));
  },
});

export const retryAnyJob = route({
  method: 'POST',
  path: '/admin/jobs/{jobId}/retry',
  access: 'admin',
  summary: 'Run a failed or canceled job again for its owner, as a new job, free of charge and shown in full',
  params: JobParams,
  response: AdminJobChangedResponse,
  status: 201,
  refusals: ['JOB_NOT_FOUND', 'JOB_NOT_FAILED', 'ACCOUNT_NOT_FOUND'],
  answerMayLag: true,
  handler: async (request) => {
    const { deps } = request;
    const { id, data } = await anyJob(deps, request.params.jobId);
    const { jobId, position } = await retryJob(onBehalfOf(request, 'change', { kind: 'job', ownerId: data.userId }), {
      jobId: id,
    });
    return afterWrite(deps, { position, made: madeJob(jobId) }, (readModels) =>
      changed({ ...deps, readModels }, jobId),
    );
  },
});

/** @throws HttpError JOB_NOT_FOUND */
async function anyJob(deps: HttpDeps, jobId: string): Promise<OwnJob> {
  const job = (await getJob(deps.readModels, jobId)) ?? (await justSubmitted(deps, { jobId, userId: null }));
  if (!job) throw jobNotFound();
  return job;
}

/** Records the view before anything is shown. @throws HttpError JOB_NOT_FOUND */
async function jobFor(request: Looking, thing: 'job' | 'report'): Promise<OwnJob> {
  const job = await anyJob(request.deps, request.params.jobId);
  await recordView(request, { ownerId: job.data.userId, thing, thingId: job.id });
  return job;
}

/** Once the list and the owner's bill show it, too. */
async function changed(deps: HttpDeps, jobId: string): Promise<AdminJobChangedResponse> {
  const { readModels, now } = deps;
  const job = await anyJob(deps, jobId);
  const { userId } = job.data;
  const [owner] = await Promise.all([
    getAccount(readModels, userId),
    countUnderWay(readModels),
    getBilling(readModels, userId),
  ]);
  return { success: true, data: presentAdminJob(job, owner?.data ?? null, now()) };
}
