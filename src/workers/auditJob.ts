/**
 * One audit job, step by step. Each step's start and end is recorded by events, and data for later steps is kept in the
 * job's working stream, so that a worker taking over the job resumes after the last completed step.
 */
import type { Crawl } from '../audit/crawl/site.ts';
import { type Cause, type CommandContext, contextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { handleOnce } from '../commands/handleOnce.ts';
import { type JobCommand, jobDecider } from '../domain/job/decide.ts';
import { JOB_STEPS, jobStream } from '../domain/job/events.ts';
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import { JobStopped } from './failureTexts.ts';
import type { AuditJobDeps, JobRun, Recorded } from './jobRun.ts';
import { endingOf } from './partialResult.ts';
import { SlotGivenUp } from './slowSite.ts';
import { openWorkingData } from './workingData.ts';

/**
 * `ended`: by any worker, with an event at or before this position. `not_now`: another worker just wrote to the job.
 * `no_slot`: it has given up its slot, and continues with another one.
 */
export type AuditOutcome =
  | { readonly outcome: 'ended'; readonly position: Position }
  | { readonly outcome: 'not_now' | 'no_slot' };

/** A job and the event that made its audit pending. */
export type PendingJob = { readonly jobId: string; readonly cause: Cause };

type ContextDeps = Pick<AuditJobDeps, 'store' | 'now' | 'newId'>;

/**
 * Runs the job to its end, whoever started it. Checks `held` before the first event: a worker that was paused must not
 * take the job from its current holder.
 * @throws when it should be retried
 */
export async function runAuditJob(
  deps: AuditJobDeps,
  { jobId, cause }: PendingJob,
  held: () => boolean,
  signal: AbortSignal,
): Promise<AuditOutcome> {
  const context = (): CommandContext => auditContext(deps, cause);
  const ended = await endOf(deps, jobId);
  if (ended !== null) return { outcome: 'ended', position: ended };
  try {
    const outcome = await runSteps(deps, { jobId, held, signal, context });
    if (outcome !== 'ended') return { outcome };
  } catch (error) {
    const position = await endOf(deps, jobId);
    if (position === null) throw error;
    return { outcome: 'ended', position };
  }
  return { outcome: 'ended', position: (await endOf(deps, jobId)) ?? START };
}

/** A separate command context for each call. */
export function auditContext({ store, now, newId }: ContextDeps, cause: Cause): CommandContext {
  return contextOf({ store, now, commandId: newId(), actor: { kind: 'worker', id: 'audit' } }, cause);
}

/** Number of completed steps; all of them once the job has ended. */
export async function stepsEndedOf(store: EventStore, jobId: string): Promise<number> {
  const { state } = await loadState(store, jobDecider, jobStream(jobId));
  if (state.status === 'running') return state.stepsEnded;
  return state.status === 'finished' || state.status === 'deleted' ? JOB_STEPS.length : 0;
}

/** The end of the stream of a job that has ended or does not exist; null while there is work left. */
async function endOf({ store }: AuditJobDeps, jobId: string): Promise<Position | null> {
  const { state, position } = await loadState(store, jobDecider, jobStream(jobId));
  return state.status === 'finished' || state.status === 'deleted' || state.status === 'none' ? position : null;
}

type RunningJob = {
  readonly jobId: string;
  readonly held: () => boolean;
  readonly signal: AbortSignal;
  readonly context: () => CommandContext;
};

/** `not_now`: the job was not started, because another worker wrote to its stream. */
async function runSteps(
  deps: AuditJobDeps,
  { jobId, held, signal, context }: RunningJob,
): Promise<AuditOutcome['outcome']> {
  const stream = jobStream(jobId);
  // About 300 modules that nothing else needs: startup does not wait for them.
  const { STEPS } = await import('./auditSteps.ts');
  const loaded = await loadState(deps.store, jobDecider, stream);
  if (!held()) throw new Error('Another worker may have the job by now.');
  const started = await handleOnce(context(), jobDecider, stream, { type: 'StartJob', at: deps.now() }, loaded);
  if (started?.state.status !== 'running') return 'not_now';
  const job = started.state;
  const { attempt } = job;
  const record = async (command: Recorded): Promise<void> => {
    await handle(context(), jobDecider, stream, { ...command, attempt, at: deps.now() } as JobCommand);
  };
  const since = deps.clock();
  const data = openWorkingData(deps.store, job, context);
  const before = job.slotsGivenUp > 0 ? await data.load('answers') : null;
  const spent = (): number => (before?.spentMs ?? 0) + deps.clock() - since;
  const fetcher = deps.openFetcher();
  try {
    const run: JobRun = {
      deps,
      job,
      fetch: fetcher,
      signal,
      slotSince: since,
      spent,
      remaining: () => Math.max(0, job.bounds.maxMs - spent()),
      context,
      record,
      data,
    };
    for (const step of JOB_STEPS.slice(job.stepsEnded)) {
      signal.throwIfAborted();
      await record({ type: 'StartStep', step });
      const end = await STEPS[step](run);
      signal.throwIfAborted();
      await record({ type: 'EndStep', step, ...(typeof end === 'string' ? { note: end } : end) });
    }
    await record(await ending(run));
    return 'ended';
  } catch (error) {
    if (error instanceof SlotGivenUp) {
      await record({ type: 'GiveUpSlot' });
      return 'no_slot';
    }
    if (!(error instanceof JobStopped)) throw error;
    await record({ type: 'FailJob', code: error.code, reason: error.message });
    return 'ended';
  } finally {
    deps.liveProgress?.end(jobId);
    deps.liveFeed?.end(jobId);
    await fetcher.close();
  }
}

/** The end of a job that completed all steps. */
async function ending({ data, job, deps }: JobRun): Promise<Recorded> {
  const written = [await data.load('analysis'), await data.load('recommendations'), await data.load('summary')];
  const crawl = await data.need('crawl');
  const checked = await data.load('checked');
  // What was not read of a site that could not be read is no part that is missing.
  if (!(checked?.judged ?? (await isJudged(crawl, deps)))) return { type: 'CompleteJob' };
  return endingOf({
    coverage: crawl.coverage,
    maxPages: job.bounds.maxPages,
    // Jobs begun by an earlier version of the program do not have it.
    checksCutShort: checked?.cutShort ?? false,
    modelFailures: written.flatMap((text) => text?.fallback ?? []),
  });
}

async function isJudged(crawl: Crawl, { clock }: AuditJobDeps): Promise<boolean> {
  const [{ standing }, { inSlices }] = await Promise.all([
    import('../audit/judged.ts'),
    import('../audit/timeSlices.ts'),
  ]);
  return (await inSlices(standing(crawl), { now: clock }))?.kind === 'judged';
}
