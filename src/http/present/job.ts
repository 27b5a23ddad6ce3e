/** A job as shown to its owner: statuses, labels and percentages are the product's fixed vocabulary. */
import type { JobStep } from '../../domain/job/events.ts';
import { type JobDocument, type SubmittedJob, showsFiles, submittedJob } from '../../projections/jobs.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { QueuePlace } from '../../work/queue.ts';
import type { JobStage, JobStatus, JobView } from '../contract/jobs.ts';
import { estimate } from './eta.ts';

/**
 * The two statuses after the final report continue from its 90%, and a partial result is as finished as a complete one.
 */
const PROGRESS: Readonly<Partial<Record<JobStatus, number>>> = {
  pending: 0,
  queued: 5,
  starting: 10,
  executing_parallel_streams: 20,
  executing_step1: 30,
  executing_step2: 50,
  executing_step2_format: 70,
  executing_step3: 80,
  executing_convergence: 90,
  generating_actions: 95,
  executing_actions_parsing: 98,
  completed: 100,
  partial_success: 100,
  partially_completed: 100,
  failed: 0,
};
const UNKNOWN_PROGRESS = 25;

const LABELS: Readonly<Partial<Record<JobStatus, string>>> = {
  executing_parallel_streams: 'Analyzing Website',
  executing_step1: 'AI Analysis',
  executing_step2: 'Data Collection',
  executing_step2_format: 'Report Generation',
  executing_step3: 'Creating Recommendations',
  executing_convergence: 'Final Report',
  generating_actions: 'Generating Actions',
};

type Stage = { readonly status: JobStatus; readonly label: string; readonly steps: readonly JobStep[] };

/** The stages in order, each with the audit steps it stands for. */
const STAGES: readonly Stage[] = [
  stage('executing_parallel_streams', 'discover', 'crawl'),
  stage('executing_step1', 'checks'),
  stage('executing_step2', 'evidence'),
  stage('executing_step2_format', 'report'),
  stage('executing_step3', 'recommendations'),
  stage('executing_convergence', 'summary'),
  stage('generating_actions', 'actions'),
  stage('executing_actions_parsing', 'parse_actions'),
];

function stage(status: JobStatus, ...steps: readonly JobStep[]): Stage {
  return { status, label: labelOf(status), steps };
}

export function progressOf(status: string): number {
  return PROGRESS[status as JobStatus] ?? UNKNOWN_PROGRESS;
}

/** A status without a label of its own is shown as its words, capitalized. */
export function labelOf(status: string): string {
  return (
    LABELS[status as JobStatus] ?? status.replaceAll('_', ' ').replaceAll(/\b\w/g, (letter) => letter.toUpperCase())
  );
}

/** Submitted, but neither started nor ended. */
export const isWaiting = ({ startedAt, finished }: Pick<JobDocument, 'startedAt' | 'finished'>): boolean =>
  startedAt === null && !finished;

/** `now`: UTC ISO, only used for the estimate. `place`: place in the queue, if the job is queued and it is known. */
export function presentJob(document: StoredDocument<JobDocument>, now: string, place?: QueuePlace): JobView {
  const job = document.data;
  return {
    id: job.jobId,
    user_id: job.userId,
    url: job.url,
    host: job.host,
    status: job.status,
    created_at: job.createdAt,
    completed_at: job.completedAt,
    folderPath: job.folderPath,
    action_count: job.actionCount,
    action_generation_status: job.actionGenerationStatus,
    steps: { actions_parsing: { status: job.parsingStatus } },
    progress: progressOf(job.status),
    stages: STAGES.map((stage) => presentStage(job, stage)),
    pages_done: job.pagesDone,
    pages_known: job.pagesKnown,
    max_pages: job.maxPages,
    settings: presentSettings(job),
    // A job that waits for a slow site has no pace.
    eta: job.finished || job.reason !== null ? null : estimate(job, now),
    started_at: job.startedAt,
    queue: place && isWaiting(job) ? { ahead: place.ahead, starts_at: place.startsAt } : null,
    score: job.score,
    score_formula: job.formula,
    not_judged: job.notJudged,
    shut: job.shut,
    given_back: job.givenBack,
    findings: job.findings,
    high_impact: job.highImpact,
    files: showsFiles(job) ? [...job.files] : [],
    analyst: job.analyst,
    access: job.access,
    reason: job.reason,
    reason_code: job.reasonCode,
    can: { cancel: !job.finished, delete: job.finished },
    position: document.position,
  };
}

export function presentSettings({ settings }: Pick<JobDocument, 'settings'>): JobView['settings'] {
  // The contract's lists are not read-only.
  return (settings as NonNullable<JobView['settings']> | undefined) ?? null;
}

function presentStage(job: JobDocument, { status, label, steps }: Stage): JobStage {
  const times = steps.map((step) => job.stages[step]);
  const startedAt = times[0]?.startedAt ?? null;
  const endedAt = times.at(-1)?.endedAt ?? null;
  const state = endedAt !== null ? 'done' : startedAt !== null && !job.finished ? 'running' : 'waiting';
  return { step: steps.at(-1) ?? '', status, label, state, started_at: startedAt, ended_at: endedAt };
}

export type Submitted = Omit<SubmittedJob, 'access' | 'submittedAt'> & {
  readonly now: string;
  readonly position: string;
};

/** A job just accepted that is not in the read models yet. */
export function presentSubmitted({ now, position, ...job }: Submitted): JobView {
  return presentJob(
    { id: job.jobId, position, data: submittedJob({ ...job, access: 'preview', submittedAt: now }) },
    now,
  );
}
