/** Audits: pending from the submission of a job to its end. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { JobEvent } from '../../domain/job/events.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import { auditContext, runAuditJob, stepsEndedOf } from '../../workers/auditJob.ts';
import type { AuditJobDeps } from '../../workers/jobRun.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const AUDIT = 'audit';

export const auditRule: WorkRule = {
  kind: AUDIT,
  opens: on('JobSubmitted', ({ data }) => ({
    itemId: data.jobId,
    lane: data.userId,
    ...(data.rank ? { rank: data.rank } : {}),
    // Counted under the hash of its own day: another day has another key.
    ...(data.network === undefined ? {} : { network: `${data.submittedAt.slice(0, 10)}/${data.network}` }),
  })),
  // Behind those that wait.
  defers: on('JobQueued', ({ data }) => (data.slowSite ? { itemId: data.jobId, dueAt: data.queuedAt } : null)),
  closes: on([...JOB_ENDS, 'JobDeleted'], ({ data }) => data.jobId),
  // Operators can fail a job, too.
  interrupts: ['JobCancelled', 'JobFailed', 'JobDeleted'] satisfies readonly JobEvent['type'][],
};

/** Concurrent audits of one user, in the whole installation. */
export const AUDITS_OF_A_USER = 2;
const TRIES = 5;
const LISTED_MS = 1_000;
const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

export function auditKind(
  deps: AuditJobDeps,
  options: { readonly parallel: number; readonly random: () => number } & Pick<WorkKind, 'hadSince'>,
): WorkKind {
  return {
    rule: auditRule,
    parallel: options.parallel,
    parallelOfLane: AUDITS_OF_A_USER,
    // Not if it would halve the slots of a single user.
    keptForIdle: options.parallel > AUDITS_OF_A_USER ? 1 : 0,
    ...(options.hadSince ? { hadSince: options.hadSince } : {}),
    stepsEnded: ({ itemId }) => stepsEndedOf(deps.store, itemId),
    perform: async ({ itemId, opener }, { held, isSlotWanted }, signal) => {
      const done = await runAuditJob({ ...deps, isSlotWanted }, { jobId: itemId, cause: opener }, held, signal);
      if (done.outcome === 'ended') return { outcome: 'settled', position: done.position };
      // The list learns a moment later that it is behind others now.
      return { outcome: 'later', notBefore: later(deps.now(), done.outcome === 'no_slot' ? LISTED_MS : 0) };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(auditContext(deps, item.opener), item, why, held),
  };
}
