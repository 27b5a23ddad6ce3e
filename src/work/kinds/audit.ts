/** Audits: owed from the submission of a job to its end. */
import type { JobEvent } from '../../domain/job/events.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import { failJob, GIVEN_UP, runAuditJob, stepsEndedOf } from '../../workers/auditJob.ts';
import type { AuditJobDeps } from '../../workers/jobRun.ts';
import { on, type WorkKind, type WorkRule } from '../kind.ts';
import { fullJitter } from '../retry.ts';

export const AUDIT = 'audit';

export const auditRule: WorkRule = {
  kind: AUDIT,
  opens: on('JobSubmitted', ({ data }) => ({ itemId: data.jobId, lane: data.userId })),
  closes: on([...JOB_ENDS, 'JobDeleted'], ({ data }) => data.jobId),
};

/** Whoever runs such a job stops at once instead of at its next event. */
export const AUDIT_INTERRUPTS = ['JobCancelled', 'JobDeleted'] as const satisfies readonly JobEvent['type'][];

/** Audits of one user at once, in the whole installation. */
export const AUDITS_OF_A_USER = 2;
const TRIES = 5;

export function auditKind(deps: AuditJobDeps, options: { readonly parallel: number; readonly random: () => number }): WorkKind {
  return {
    rule: auditRule,
    parallel: options.parallel,
    parallelOfLane: AUDITS_OF_A_USER,
    stepsEnded: ({ itemId }) => stepsEndedOf(deps.store, itemId),
    perform: async ({ itemId, opener }, { held }, signal) => {
      const done = await runAuditJob(deps, { jobId: itemId, cause: opener }, held, signal);
      return done.outcome === 'ended' ? { outcome: 'settled', position: done.position } : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: ({ itemId, opener }) => failJob(deps, { jobId: itemId, cause: opener }, 'INTERNAL', GIVEN_UP),
  };
}
