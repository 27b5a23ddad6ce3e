/**
 * Commands of a job. After a job has ended only its deletion is possible, so a worker that lost the job cannot change
 * it.
 */
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { JobAccess } from '../../model/jobs.ts';
import type { NotJudgedReason } from '../../model/scores.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { ModelUse } from '../modelUse.ts';
import { JOB_STEPS, type JobBounds, type JobEvent, type JobStep } from './events.ts';
import {
  costsAnalysis,
  evolve,
  initialState,
  type JobFacts,
  type JobOutcome,
  type JobState,
  MOST_SLOTS_GIVEN_UP,
  type PageCounts,
  type RunningJob,
} from './job.ts';

/** `at` is the time of the command, UTC ISO. */
export type JobCommand =
  | {
      readonly type: 'SubmitJob';
      readonly jobId: string;
      readonly userId: string;
      readonly url: string;
      readonly host: string;
      readonly bounds: JobBounds;
      readonly settings?: CrawlSettings;
      readonly access: JobAccess;
      readonly batchId?: string;
      readonly schemeGuessed?: true;
      readonly rank?: number;
      readonly network?: string;
      readonly retryOf?: string;
      readonly at: string;
    }
  /** A worker starts or resumes the job. */
  | { readonly type: 'StartJob'; readonly at: string }
  | WorkerCommand
  | { readonly type: 'CancelJob'; readonly by: string; readonly at: string }
  /** Unlocks a preview. */
  | { readonly type: 'UnlockJob'; readonly at: string }
  | { readonly type: 'DeleteJob'; readonly at: string };

/**
 * What a worker records while it runs the job. With `attempt` (from its JobStarted), the command is refused with
 * JOB_TAKEN_OVER once another worker has taken over the job.
 */
type WorkerCommand = { readonly attempt?: number; readonly at: string } & (
  | { readonly type: 'StartStep'; readonly step: JobStep }
  /**
   * `pages`: what a step that reads pages came to. `asked`, here and below: usage of the language model for the step's
   * text; absent if none was called.
   */
  | {
      readonly type: 'EndStep';
      readonly step: JobStep;
      readonly note?: string;
      readonly pages?: PageCounts;
      readonly asked?: ModelUse;
    }
  | {
      readonly type: 'RecordReport';
      readonly score: number | null;
      readonly formula?: number;
      readonly notJudged?: NotJudgedReason;
      readonly shut?: true;
      readonly pagesAudited: number;
      readonly findings: number;
      readonly highImpact: number;
      readonly files: readonly string[];
      readonly asked?: ModelUse;
    }
  /** `by`: the author; `fallback`: the built-in rules filled in for a model. */
  | { readonly type: 'RecordSummary'; readonly by: string; readonly fallback: boolean; readonly asked?: ModelUse }
  | { readonly type: 'RecordActions'; readonly count: number }
  /** Its site is slow while others wait. */
  | { readonly type: 'GiveUpSlot' }
  | { readonly type: 'CompleteJob' }
  /** `reason`: every cause. `modelFailed`: the language model failed as well. */
  | { readonly type: 'CompleteJobPartially'; readonly reason: string; readonly modelFailed?: true }
  | { readonly type: 'SucceedJobPartially'; readonly reason: string }
  | { readonly type: 'FailJob'; readonly code: string; readonly reason: string }
);

type Command<Type extends JobCommand['type']> = Extract<JobCommand, { readonly type: Type }>;

function decide(command: JobCommand, state: JobState): readonly JobEvent[] {
  switch (command.type) {
    case 'SubmitJob':
      return submit(command, state);
    case 'StartJob':
      return start(command, state);
    case 'StartStep':
      return startStep(command, runningJob(command, state));
    case 'EndStep':
      return endStep(command, runningJob(command, state));
    case 'RecordReport':
      return recordReport(command, runningJob(command, state));
    case 'RecordSummary':
      return recordSummary(command, runningJob(command, state));
    case 'RecordActions':
      return recordActions(command, runningJob(command, state));
    case 'GiveUpSlot':
      return giveUpSlot(command, runningJob(command, state));
    case 'CompleteJob':
    case 'CompleteJobPartially':
    case 'SucceedJobPartially':
      return endWell(command, state);
    case 'CancelJob':
      return cancel(command, state);
    case 'FailJob':
      return fail(command, state);
    case 'UnlockJob':
      return unlock(command, state);
    case 'DeleteJob':
      return remove(command, state);
    default:
      return unreachable(command);
  }
}

export const jobDecider: Decider<JobState, JobCommand, JobEvent> = { initialState, evolve, decide };

function submit(command: Command<'SubmitJob'>, state: JobState): readonly JobEvent[] {
  if (state.status !== 'none') return [];
  const { jobId, userId, url, host, bounds, access, at } = command;
  const { settings, batchId, schemeGuessed, rank, network, retryOf } = command;
  const optional = {
    ...(settings === undefined ? {} : { settings }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(schemeGuessed ? { schemeGuessed } : {}),
    ...(rank ? { rank } : {}),
    ...(network === undefined ? {} : { network }),
    ...(retryOf === undefined ? {} : { retryOf }),
  };
  return [
    { type: 'JobSubmitted', data: { jobId, userId, url, host, bounds, access, submittedAt: at, ...optional } },
    { type: 'JobQueued', data: { jobId, queuedAt: at } },
  ];
}

function start(command: Command<'StartJob'>, state: JobState): readonly JobEvent[] {
  const job = unfinished(state);
  const running = job.status === 'running' ? job : null;
  const started = { jobId: job.jobId, attempt: (running?.attempt ?? 0) + 1, startedAt: command.at };
  return [{ type: 'JobStarted', data: { ...started, ...(running?.hasNoSlot ? { afterSlowSite: true } : {}) } }];
}

function giveUpSlot({ at }: Command<'GiveUpSlot'>, job: RunningJob): readonly JobEvent[] {
  if (job.hasNoSlot || job.slotsGivenUp >= MOST_SLOTS_GIVEN_UP) return [];
  return [{ type: 'JobQueued', data: { jobId: job.jobId, queuedAt: at, slowSite: true } }];
}

function startStep({ step, at }: Command<'StartStep'>, job: RunningJob): readonly JobEvent[] {
  const place = JOB_STEPS.indexOf(step);
  if (place < job.stepsEnded || job.currentStep === step) return [];
  if (place > job.stepsEnded) throw outOfOrder(step, job);
  return [{ type: 'JobStepStarted', data: { jobId: job.jobId, step, startedAt: at } }];
}

function endStep({ step, note, pages, asked, at }: Command<'EndStep'>, job: RunningJob): readonly JobEvent[] {
  if (JOB_STEPS.indexOf(step) < job.stepsEnded) return [];
  if (job.currentStep !== step) throw outOfOrder(step, job);
  const { jobId } = job;
  // With the step's end in one append, so that a step has at most one, however often it was begun.
  const progressed: readonly JobEvent[] = pages ? [{ type: 'JobProgressed', data: { jobId, step, ...pages, at } }] : [];
  return [
    ...askedModel(asked, job, at),
    ...progressed,
    { type: 'JobStepEnded', data: { jobId, step, endedAt: at, ...(note === undefined ? {} : { note }) } },
  ];
}

/** Comes before the text's own event, in the same append. */
function askedModel(asked: ModelUse | undefined, { jobId }: RunningJob, at: string): readonly JobEvent[] {
  return asked === undefined ? [] : [{ type: 'ModelAsked', data: { jobId, ...asked, recordedAt: at } }];
}

function recordReport(
  { score, formula, notJudged, shut, pagesAudited, findings, highImpact, files, asked, at }: Command<'RecordReport'>,
  job: RunningJob,
): readonly JobEvent[] {
  if (job.hasReport) return [];
  if (!reached('report', job)) throw outOfOrder('report', job);
  const ready = {
    jobId: job.jobId,
    score,
    ...(formula === undefined ? {} : { formula }),
    ...(notJudged === undefined ? {} : { notJudged }),
    ...(shut ? { shut } : {}),
    pagesAudited,
    findings,
    highImpact,
    files,
    readyAt: at,
  };
  return [...askedModel(asked, job, at), { type: 'JobReportReady', data: ready }];
}

function recordSummary({ by, fallback, asked, at }: Command<'RecordSummary'>, job: RunningJob): readonly JobEvent[] {
  if (job.hasSummary) return [];
  if (!reached('summary', job)) throw outOfOrder('summary', job);
  return [
    ...askedModel(asked, job, at),
    { type: 'JobSummaryWritten', data: { jobId: job.jobId, by, fallback, writtenAt: at } },
  ];
}

function recordActions({ count, at }: Command<'RecordActions'>, job: RunningJob): readonly JobEvent[] {
  if (job.hasActions) return [];
  if (!reached('actions', job)) throw outOfOrder('actions', job);
  return [{ type: 'JobActionsGenerated', data: { jobId: job.jobId, count, generatedAt: at } }];
}

type GoodEnd = Command<'CompleteJob'> | Command<'CompleteJobPartially'> | Command<'SucceedJobPartially'>;

const OUTCOME_OF: Record<GoodEnd['type'], JobOutcome> = {
  CompleteJob: 'completed',
  CompleteJobPartially: 'partially_completed',
  SucceedJobPartially: 'partial_success',
};

function endWell(command: GoodEnd, state: JobState): readonly JobEvent[] {
  if (endedAs(OUTCOME_OF[command.type], state)) return [];
  const job = runningJob(command, state);
  if (job.stepsEnded < JOB_STEPS.length) {
    throw new DomainError('JOB_STEPS_OPEN', `Unfinished steps: ${JOB_STEPS.slice(job.stepsEnded).join(', ')}.`);
  }
  if (!job.hasReport) throw new DomainError('JOB_REPORT_MISSING', 'A job without a report cannot be completed.');
  const { jobId, userId } = job;
  const completedAt = command.at;
  switch (command.type) {
    case 'CompleteJob':
      return [{ type: 'JobCompleted', data: { jobId, userId, completedAt } }];
    case 'CompleteJobPartially':
      return [{ type: 'JobPartiallyCompleted', data: { jobId, userId, ...partOf(command), completedAt } }];
    case 'SucceedJobPartially':
      return [{ type: 'JobPartiallySucceeded', data: { jobId, userId, reason: command.reason, completedAt } }];
    default:
      return unreachable(command);
  }
}

function partOf({ reason, modelFailed }: Command<'CompleteJobPartially'>): {
  readonly reason: string;
  readonly modelFailed?: true;
} {
  return { reason, ...(modelFailed ? { modelFailed } : {}) };
}

function cancel({ by, at }: Command<'CancelJob'>, state: JobState): readonly JobEvent[] {
  if (state.status === 'deleted') throw notFound();
  if (endedAs('cancelled', state)) return [];
  const { jobId, userId } = unfinished(state);
  return [{ type: 'JobCancelled', data: { jobId, userId, by, cancelledAt: at } }];
}

function fail(command: Command<'FailJob'>, state: JobState): readonly JobEvent[] {
  if (endedAs('failed', state)) return [];
  // A job can be given up before any worker has started it.
  const { jobId, userId } = command.attempt === undefined ? unfinished(state) : runningJob(command, state);
  const { code, reason, at } = command;
  return [{ type: 'JobFailed', data: { jobId, userId, code, reason, failedAt: at } }];
}

function unlock({ at }: Command<'UnlockJob'>, state: JobState): readonly JobEvent[] {
  const { jobId, userId } = unlockable(state);
  return [{ type: 'JobUnlocked', data: { jobId, userId, unlockedAt: at } }];
}

/**
 * Checks that there is something to unlock.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, ANALYSIS_WITHOUT_RESULT, ALREADY_UNLOCKED
 */
export function unlockable(state: JobState): JobFacts {
  if (state.status === 'none' || state.status === 'deleted') throw notFound();
  if (state.status !== 'finished') throw new DomainError('JOB_NOT_FINISHED', 'Only a finished audit can be unlocked.');
  if (!costsAnalysis(state))
    throw new DomainError('ANALYSIS_WITHOUT_RESULT', 'This audit has no result that could be unlocked.');
  if (state.access === 'full') throw new DomainError('ALREADY_UNLOCKED', 'This audit is unlocked already.');
  return state;
}

function remove({ at }: Command<'DeleteJob'>, state: JobState): readonly JobEvent[] {
  if (state.status === 'none') throw notFound();
  if (state.status === 'deleted') return [];
  if (state.status !== 'finished')
    throw new DomainError('JOB_NOT_FINISHED', 'The job is still running. Cancel it first, then delete it.');
  return [{ type: 'JobDeleted', data: { jobId: state.jobId, userId: state.userId, deletedAt: at } }];
}

type Unfinished = Extract<JobState, { readonly status: 'submitted' | 'queued' | 'running' }>;

function unfinished(state: JobState): Unfinished {
  if (state.status === 'none') throw notFound();
  if (state.status === 'finished' || state.status === 'deleted')
    throw new DomainError('JOB_ALREADY_FINISHED', 'The job has already ended.');
  return state;
}

function runningJob(command: { readonly attempt?: number }, state: JobState): RunningJob {
  const job = unfinished(state);
  if (job.status !== 'running') throw new DomainError('JOB_NOT_STARTED', 'The job has not started.');
  if (command.attempt !== undefined && command.attempt !== job.attempt) {
    throw new DomainError('JOB_TAKEN_OVER', 'Another worker has taken over the job.', { attempt: job.attempt });
  }
  return job;
}

function endedAs(outcome: JobOutcome, state: JobState): boolean {
  return (state.status === 'finished' || state.status === 'deleted') && state.outcome === outcome;
}

/** The step has started or ended. */
function reached(step: JobStep, job: RunningJob): boolean {
  return job.currentStep === step || JOB_STEPS.indexOf(step) < job.stepsEnded;
}

function outOfOrder(step: JobStep, job: RunningJob): DomainError {
  return new DomainError(
    'JOB_STEP_OUT_OF_ORDER',
    `Step ${step} is not due: ${job.stepsEnded} of ${JOB_STEPS.length} steps have ended.`,
    { step },
  );
}

function notFound(): DomainError {
  return new DomainError('JOB_NOT_FOUND', 'There is no such job.');
}
