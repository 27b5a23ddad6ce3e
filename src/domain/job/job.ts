/** State of one job, folded from its events. */
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { JobAccess } from '../../model/jobs.ts';
import { JOB_STEPS, type JobBounds, type JobEvent, type JobStep } from './events.ts';

export type JobFacts = {
  readonly jobId: string;
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  readonly bounds: JobBounds;
  /** What the submitter set; absent: nothing. */
  readonly settings?: CrawlSettings;
  readonly access: JobAccess;
  /** https was assumed; http is acceptable. */
  readonly schemeGuessed?: true;
};

/** How a job ended. The first three have a result. */
export type JobOutcome = 'completed' | 'partially_completed' | 'partial_success' | 'failed' | 'cancelled';

export type PageCounts = { readonly pagesDone: number; readonly pagesKnown: number };
type JobProgress = PageCounts & { readonly at: string };

/** Why an audit with a result is given back: robots.txt shuts out every crawler, or the site was not judged. */
export type GivenBackFor = 'shut_site' | 'not_judged';

export type RunningJob = JobFacts & {
  readonly status: 'running';
  /** How many times a worker has started or resumed it. */
  readonly attempt: number;
  /** Number of JOB_STEPS that have ended. */
  readonly stepsEnded: number;
  readonly currentStep: JobStep | null;
  readonly progress: JobProgress | null;
  readonly hasReport: boolean;
  readonly hasSummary: boolean;
  readonly hasActions: boolean;
  /** Known once there is a report; null for an audit that costs what it was reserved for. */
  readonly givenBackFor: GivenBackFor | null;
  /** How often it gave up its slot because its site was slow, and whether it waits for another one. */
  readonly slotsGivenUp: number;
  readonly hasNoSlot: boolean;
};

/** After so many times, an audit keeps its slot, however slow its site is. */
export const MOST_SLOTS_GIVEN_UP = 3;

export type JobState =
  | { readonly status: 'none' }
  | (JobFacts & { readonly status: 'submitted' })
  | (JobFacts & { readonly status: 'queued' })
  | RunningJob
  | EndedJob
  | (Omit<EndedJob, 'status'> & { readonly status: 'deleted' });

type EndedJob = JobFacts & {
  readonly status: 'finished';
  readonly outcome: JobOutcome;
  /** A worker had started it. */
  readonly begun: boolean;
  /** Findings were readable before the end. */
  readonly hadFindings: boolean;
  readonly givenBackFor: GivenBackFor | null;
};

export const initialState = (): JobState => ({ status: 'none' });

/** True if there is a valid result. */
export const hasResult = (outcome: JobOutcome): boolean => outcome !== 'failed' && outcome !== 'cancelled';

/**
 * Whether the audit is charged. Findings are readable from FINDINGS_STEP on, so a cancellation after that is not free.
 * One that could judge nothing is, up to a number a day.
 */
export const costsAnalysis = ({
  outcome,
  hadFindings,
  givenBackFor,
}: Pick<EndedJob, 'outcome' | 'hadFindings' | 'givenBackFor'>): boolean =>
  givenBackFor === null && (hasResult(outcome) || (outcome === 'cancelled' && hadFindings));

/** The step that writes the findings. */
export const FINDINGS_STEP: JobStep = 'evidence';

/** The current or next step; null when all have ended. A worker that takes over the job resumes here. */
export const nextStep = (job: RunningJob): JobStep | null => JOB_STEPS[job.stepsEnded] ?? null;

const OUTCOMES = {
  JobCompleted: 'completed',
  JobPartiallyCompleted: 'partially_completed',
  JobPartiallySucceeded: 'partial_success',
  JobCancelled: 'cancelled',
  JobFailed: 'failed',
} as const satisfies Partial<Record<JobEvent['type'], JobOutcome>>;

/** The events that end a job. */
export const JOB_ENDS = Object.keys(OUTCOMES) as readonly (keyof typeof OUTCOMES)[];

export function evolve(state: JobState, event: JobEvent): JobState {
  switch (event.type) {
    case 'JobSubmitted':
      return { status: 'submitted', ...factsOf(event.data) };
    case 'JobQueued':
      if (state.status === 'running')
        return event.data.slowSite ? { ...state, slotsGivenUp: state.slotsGivenUp + 1, hasNoSlot: true } : state;
      return state.status === 'submitted' ? { ...state, status: 'queued' } : state;
    case 'JobStarted':
      return started(state, event.data.attempt);
    case 'JobStepStarted':
      return running(state, { currentStep: event.data.step });
    case 'JobStepEnded':
      return running(state, { currentStep: null, stepsEnded: JOB_STEPS.indexOf(event.data.step) + 1 });
    case 'JobProgressed':
      return running(state, {
        progress: { pagesDone: event.data.pagesDone, pagesKnown: event.data.pagesKnown, at: event.data.at },
      });
    case 'JobReportReady':
      return running(state, { hasReport: true, givenBackFor: givenBackForReport(event.data) });
    case 'JobSummaryWritten':
      return running(state, { hasSummary: true });
    case 'JobActionsGenerated':
      return running(state, { hasActions: true });
    case 'ModelAsked':
      return state;
    case 'JobCompleted':
    case 'JobPartiallyCompleted':
    case 'JobPartiallySucceeded':
    case 'JobCancelled':
    case 'JobFailed':
      return ended(state, OUTCOMES[event.type]);
    case 'JobUnlocked':
      return state.status === 'finished' ? { ...state, access: 'full' } : state;
    case 'JobDeleted':
      return deleted(state, event.data);
    default:
      event satisfies never;
      return state;
  }
}

function ended(state: JobState, outcome: JobOutcome): JobState {
  if (state.status === 'none') return state;
  const begun = state.status === 'running';
  const hadFindings =
    begun && (state.currentStep === FINDINGS_STEP || state.stepsEnded > JOB_STEPS.indexOf(FINDINGS_STEP));
  // A failed audit is given back because it failed.
  const givenBackFor = begun && outcome !== 'failed' ? state.givenBackFor : null;
  return { ...factsOf(state), status: 'finished', outcome, begun, hadFindings, givenBackFor };
}

function givenBackForReport({
  shut,
  notJudged,
}: Extract<JobEvent, { type: 'JobReportReady' }>['data']): GivenBackFor | null {
  if (shut) return 'shut_site';
  return notJudged === undefined ? null : 'not_judged';
}

/** When the owner's account is deleted, earlier events are erased too; this one is then all that remains of the job. */
function deleted(state: JobState, { jobId, userId }: { readonly jobId: string; readonly userId: string }): JobState {
  if (state.status === 'finished') return { ...state, status: 'deleted' };
  if (state.status !== 'none') return state;
  const nothing = {
    url: '',
    host: '',
    bounds: { maxPages: 0, maxMs: 0 },
    access: 'preview',
    begun: false,
    hadFindings: false,
    givenBackFor: null,
  } as const;
  return { status: 'deleted', jobId, userId, ...nothing, outcome: 'cancelled' };
}

function started(state: JobState, attempt: number): JobState {
  if (state.status === 'running') return { ...state, attempt, hasNoSlot: false };
  if (state.status !== 'submitted' && state.status !== 'queued') return state;
  const nothingYet = {
    stepsEnded: 0,
    currentStep: null,
    progress: null,
    hasReport: false,
    hasSummary: false,
    hasActions: false,
    givenBackFor: null,
    slotsGivenUp: 0,
    hasNoSlot: false,
  };
  return { ...factsOf(state), status: 'running', attempt, ...nothingYet };
}

function running(state: JobState, change: Partial<RunningJob>): JobState {
  return state.status === 'running' ? { ...state, ...change } : state;
}

function factsOf({ jobId, userId, url, host, bounds, settings, access, schemeGuessed }: JobFacts): JobFacts {
  const optional = { ...(settings ? { settings } : {}), ...(schemeGuessed ? { schemeGuessed } : {}) };
  return { jobId, userId, url, host, bounds, access, ...optional };
}
