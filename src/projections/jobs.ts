/** Every job as shown in lists and pages. */
import type { JobStep } from '../domain/job/events.ts';
import { FINDINGS_STEP } from '../domain/job/job.ts';
import type { ActionItem } from '../domain/plan/events.ts';
import type { DataOf, EventOf } from '../domain/stored/eventOf.ts';
import { isMarkedOptional } from '../model/actions.ts';
import type { CrawlSettings } from '../model/crawlSettings.ts';
import type { JobAccess, JobStatus, PartStatus } from '../model/jobs.ts';
import { FIRST_FORMULA, type NotJudgedReason } from '../model/scores.ts';
import type { Documents, Page, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

type JobDocumentStatus = Exclude<JobStatus, 'processing'>;

export type JobDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  readonly status: JobDocumentStatus;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** `{host}/{timestamp}`: identifies the audit. Set when the report is ready. */
  readonly folderPath: string | null;
  /** Of its plan, without optional items. */
  readonly actionCount: number;
  /** The same while the audit's own count is not known yet; null without a plan. */
  readonly planned: number | null;
  readonly actionGenerationStatus: PartStatus;
  readonly parsingStatus: PartStatus;
  readonly stages: Readonly<Partial<Record<JobStep, { readonly startedAt: string; readonly endedAt: string | null }>>>;
  readonly pagesDone: number;
  readonly pagesKnown: number;
  readonly maxPages: number;
  /** What the submitter set for the crawl; absent: nothing. */
  readonly settings?: CrawlSettings;
  /** To the tenth. Null until there is a report, and if the site was not judged. */
  readonly score: number | null;
  /** Version of the score's formula; null without a score. */
  readonly formula: number | null;
  readonly notJudged: NotJudgedReason | null;
  /** robots.txt forbids every crawler to read the site. */
  readonly shut: boolean;
  /** Whether an audit of a shut site, or one that could judge nothing, was given back; null until known, and for others. */
  readonly givenBack: boolean | null;
  readonly findings: number | null;
  readonly highImpact: number | null;
  /** Files available so far, in the order they were written. */
  readonly files: readonly string[];
  readonly analyst: string | null;
  readonly access: JobAccess;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly finished: boolean;
};

const STEP_STATUS: Readonly<Record<JobStep, JobDocumentStatus>> = {
  discover: 'executing_parallel_streams',
  crawl: 'executing_parallel_streams',
  checks: 'executing_step1',
  evidence: 'executing_step2',
  report: 'executing_step2_format',
  recommendations: 'executing_step3',
  summary: 'executing_convergence',
  actions: 'generating_actions',
  parse_actions: 'executing_actions_parsing',
};

/** Of a job that has given up its slot while its site was slow. */
export const SLOW_SITE = 'Waiting for a slow site';

export const jobs = projection<JobDocument>()({
  name: 'jobs',
  version: 9,
  indexes: [
    ['userId', 'finished', 'createdAt'],
    ['userId', 'host', 'finished', 'createdAt'],
    ['userId', 'createdAt'],
    ['finished', 'createdAt'],
    ['finished', 'status'],
  ],
  // Lets clients that were disconnected learn that a job was deleted.
  tombstoneFields: ['userId'],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    JobSubmitted: (_, { data }) => submittedJob({ ...data, maxPages: data.bounds.maxPages }),
    JobQueued: (job, { data }) => job && (data.slowSite ? { ...job, reason: SLOW_SITE } : { ...job, status: 'queued' }),
    // A resumed job keeps its status.
    JobStarted: (job, { data }) => {
      if (job?.startedAt === null) return { ...job, status: 'starting', startedAt: data.startedAt };
      return job && job.reason !== null ? { ...job, reason: null } : job;
    },
    JobStepStarted: (job, { data }) => job && stepStarted(job, data.step, data.startedAt),
    JobStepEnded: (job, { data }) => job && stepEnded(job, data.step, data.endedAt),
    JobProgressed: (job, { data }) =>
      job && { ...job, pagesDone: data.pagesDone, pagesKnown: Math.min(data.pagesKnown, job.maxPages) },
    JobReportReady: (job, { data: { pagesAudited, findings, highImpact, files, readyAt, ...judged } }) =>
      job && {
        ...job,
        pagesDone: Math.max(job.pagesDone, pagesAudited),
        pagesKnown: Math.max(job.pagesKnown, pagesAudited),
        ...verdictOf(judged),
        findings,
        highImpact,
        folderPath: `${job.host}/${readyAt.replaceAll(/[:.]/g, '-')}`,
        files: [...new Set([...job.files, ...files])],
      },
    JobSummaryWritten: (job, { data }) => job && { ...job, analyst: data.by },
    JobActionsGenerated: (job, { data }) =>
      // Earlier versions counted optional items, too.
      job && { ...job, actionCount: job.planned ?? data.count, actionGenerationStatus: 'completed' },
    JobCompleted: (job, { data }) =>
      job && { ...job, status: 'completed', completedAt: data.completedAt, finished: true },
    JobPartiallyCompleted: (job, { data }) =>
      job && {
        ...job,
        status: 'partially_completed',
        completedAt: data.completedAt,
        reason: data.reason,
        finished: true,
      },
    JobPartiallySucceeded: (job, { data }) =>
      job && { ...job, status: 'partial_success', completedAt: data.completedAt, reason: data.reason, finished: true },
    JobCancelled: (job, { data }) => job && ended(job, data.cancelledAt, 'Cancelled', 'CANCELLED'),
    JobFailed: (job, { data }) => job && ended(job, data.failedAt, data.reason, data.code),
    JobUnlocked: (job) => job && { ...job, access: 'full' },
    AnalysisReleased: (job) => job && settled(job, true),
    AnalysisConsumed: (job) => job && settled(job, false),
    JobDeleted: () => null,
    JobsDeleted: () => null,
    ReportPartWritten: (job, { data }) => job && filePart(job, data),
    PlanGenerated: planned,
    PlanRegenerated: planned,
    PlanExtended: (job, { data }) => job && counting(job, (job.planned ?? 0) - optionalIn(data.items)),
  },
});

export type SubmittedJob = Pick<
  JobDocument,
  'jobId' | 'userId' | 'url' | 'host' | 'maxPages' | 'settings' | 'access'
> & {
  readonly submittedAt: string;
};

/** A job in its initial state. */
export function submittedJob(job: SubmittedJob): JobDocument {
  const { jobId, userId, url, host, maxPages, settings, access, submittedAt } = job;
  return {
    jobId,
    userId,
    url,
    host,
    status: 'pending',
    createdAt: submittedAt,
    startedAt: null,
    completedAt: null,
    folderPath: null,
    actionCount: 0,
    planned: null,
    actionGenerationStatus: 'pending',
    parsingStatus: 'pending',
    stages: {},
    pagesDone: 0,
    pagesKnown: 0,
    maxPages,
    ...(settings ? { settings } : {}),
    score: null,
    formula: null,
    notJudged: null,
    shut: false,
    givenBack: null,
    findings: null,
    highImpact: null,
    files: [],
    analyst: null,
    access,
    reason: null,
    reasonCode: null,
    finished: false,
  };
}

type Verdict = Pick<JobDocument, 'score' | 'formula' | 'notJudged' | 'shut'>;

function verdictOf({
  score,
  formula = FIRST_FORMULA,
  notJudged = null,
  shut = false,
}: Pick<DataOf<'JobReportReady'>, 'score' | 'formula'> & {
  readonly notJudged?: NotJudgedReason | null;
  readonly shut?: boolean;
}): Verdict {
  return { score, formula: score === null ? null : formula, notJudged, shut };
}

/** Other audits say by their status whether they count. */
function settled(job: JobDocument, givenBack: boolean): JobDocument {
  return job.shut || job.notJudged !== null ? { ...job, givenBack } : job;
}

function planned(job: JobDocument | null, { data }: EventOf<'PlanGenerated' | 'PlanRegenerated'>): JobDocument | null {
  if (!job) return job;
  const counted = counting(job, data.count - optionalIn(data.items));
  return job.finished ? { ...counted, actionGenerationStatus: 'completed', parsingStatus: 'completed' } : counted;
}

/** For a running job, the worker's own events say when they are there; for a finished job, the owner made new ones. */
const counting = (job: JobDocument, tasks: number): JobDocument => ({
  ...job,
  planned: tasks,
  ...(job.finished ? { actionCount: tasks } : {}),
});

/** Optional items are no tasks. */
const optionalIn = (items: readonly ActionItem[]): number => items.filter(isMarkedOptional).length;

function stepStarted(job: JobDocument, step: JobStep, startedAt: string): JobDocument {
  return {
    ...job,
    status: STEP_STATUS[step],
    stages: { ...job.stages, [step]: { startedAt, endedAt: null } },
    ...(step === 'actions' ? { actionGenerationStatus: 'processing' } : {}),
    ...(step === 'parse_actions' ? { parsingStatus: 'processing' } : {}),
  };
}

function stepEnded(job: JobDocument, step: JobStep, endedAt: string): JobDocument {
  const startedAt = job.stages[step]?.startedAt ?? endedAt;
  return {
    ...job,
    stages: { ...job.stages, [step]: { startedAt, endedAt } },
    ...(step === 'parse_actions' ? { parsingStatus: 'completed' } : {}),
  };
}

function filePart(job: JobDocument, { file, part, parts }: DataOf<'ReportPartWritten'>): JobDocument {
  return part === parts - 1 && !job.files.includes(file) ? { ...job, files: [...job.files, file] } : job;
}

function ended(job: JobDocument, at: string, reason: string, reasonCode: string): JobDocument {
  const unless = (status: PartStatus): PartStatus => (status === 'completed' ? status : 'failed');
  return {
    ...job,
    status: 'failed',
    completedAt: at,
    reason,
    reasonCode,
    finished: true,
    actionGenerationStatus: unless(job.actionGenerationStatus),
    parsingStatus: unless(job.parsingStatus),
  };
}

/** Whether the owner may read the job's files: while it runs, and afterward if it was charged. */
export function showsFiles({ finished, status, reasonCode, stages }: JobDocument): boolean {
  return !finished || status !== 'failed' || (reasonCode === 'CANCELLED' && stages[FINDINGS_STEP] !== undefined);
}

export function getJob(readModels: Documents, jobId: string): Promise<StoredDocument<JobDocument> | null> {
  return readModels.get('jobs', jobId);
}

/** In the order of the ids; missing ones are left out. */
export function listJobsById(
  readModels: Documents,
  jobIds: readonly string[],
): Promise<readonly StoredDocument<JobDocument>[]> {
  return readModels.getMany('jobs', jobIds);
}

export type JobsPage = { readonly finished?: boolean; readonly limit?: number; readonly cursor?: string };

/** A user's jobs, newest first. */
export function listJobs(readModels: ReadModels, userId: string, page: JobsPage = {}): Promise<Page<JobDocument>> {
  const { finished, limit, cursor } = page;
  return readModels.find('jobs', {
    where: { userId, ...(finished === undefined ? {} : { finished }) },
    sort: [['createdAt', 'desc']],
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/**
 * A user's ended jobs for a site under any of these hosts, newest first; with `upTo` (UTC ISO), only those submitted by
 * then.
 */
export function listSiteJobs(
  readModels: ReadModels,
  userId: string,
  { hosts, upTo, limit }: { readonly hosts: readonly string[]; readonly upTo: string | null; readonly limit: number },
): Promise<Page<JobDocument>> {
  const where = { userId, host: { in: hosts }, finished: true, ...(upTo === null ? {} : { createdAt: { lte: upTo } }) };
  return readModels.find('jobs', { where, sort: [['createdAt', 'desc']], limit });
}

/** A user's ended jobs for one site, newest first. */
export async function listRuns(
  readModels: ReadModels,
  userId: string,
  query: { readonly host: string; readonly limit: number; readonly before?: string },
): Promise<readonly JobDocument[]> {
  const { host, limit, before } = query;
  const where = { userId, host, finished: true, ...(before === undefined ? {} : { createdAt: { lt: before } }) };
  return (await readModels.find<JobDocument>('jobs', { where, sort: [['createdAt', 'desc']], limit })).documents.map(
    ({ data }) => data,
  );
}

/** Former audits that are looked at for one that was judged. */
const FORMER = 20;

/** Version of the score's formula in the last judged audit before that time (UTC ISO); null if there is none. */
export async function formerFormula(
  readModels: ReadModels,
  { userId, host, before }: { readonly userId: string; readonly host: string; readonly before: string },
): Promise<number | null> {
  const runs = await listRuns(readModels, userId, { host, before, limit: FORMER });
  return runs.find(({ formula }) => formula !== null)?.formula ?? null;
}

/** All users' open jobs submitted before that time (UTC ISO), oldest first. */
export async function listOpenJobs(
  readModels: ReadModels,
  query: { readonly before: string; readonly limit: number },
): Promise<readonly JobDocument[]> {
  const { before, limit } = query;
  const where = { finished: false, createdAt: { lt: before } };
  return (await readModels.find<JobDocument>('jobs', { where, sort: [['createdAt', 'asc']], limit })).documents.map(
    ({ data }) => data,
  );
}

/** Number of all users' open jobs with this status. */
export function countActiveJobs(readModels: ReadModels, status: JobStatus): Promise<number> {
  return readModels.count('jobs', { finished: false, status });
}

/** All users' open jobs, newest first. */
export async function listNewestActiveJobs(readModels: ReadModels, limit: number): Promise<readonly JobDocument[]> {
  const { documents } = await readModels.find<JobDocument>('jobs', {
    where: { finished: false },
    sort: [['createdAt', 'desc']],
    limit,
  });
  return documents.map(({ data }) => data);
}
