/**
 * The deletion of many jobs at once, as one fact. Stream: `job-deletions-{userId}`. Read models drop the jobs on this
 * event; what each job then needs (cancellation, its own `JobDeleted`, erasure of its findings) follows from it.
 */
import type { Decider } from '../decider.ts';
import type { JobDeletionsEvent } from './events.ts';

/** By event: one set would be copied with each. */
type DeletionsState = { readonly jobIds: readonly (readonly string[])[] };

export type DeletionsCommand = {
  readonly type: 'DeleteJobs';
  readonly userId: string;
  readonly jobIds: readonly string[];
  readonly at: string;
};

/** An event is folded as a whole, in each read model of jobs: meanwhile nothing else runs. */
export const JOBS_OF_AN_EVENT = 100;

function evolve(state: DeletionsState, { data }: JobDeletionsEvent): DeletionsState {
  return { jobIds: [...state.jobIds, data.jobIds] };
}

function decide({ userId, jobIds, at }: DeletionsCommand, state: DeletionsState): readonly JobDeletionsEvent[] {
  const deleted = new Set(state.jobIds.flat());
  const left = [...new Set(jobIds)].filter((jobId) => !deleted.has(jobId));
  const parts = Array.from({ length: Math.ceil(left.length / JOBS_OF_AN_EVENT) }, (_, part) =>
    left.slice(part * JOBS_OF_AN_EVENT, (part + 1) * JOBS_OF_AN_EVENT),
  );
  return parts.map((some) => ({ type: 'JobsDeleted', data: { userId, jobIds: some, deletedAt: at } }));
}

export const jobDeletionsDecider: Decider<DeletionsState, DeletionsCommand, JobDeletionsEvent> = {
  initialState: () => ({ jobIds: [] }),
  evolve,
  decide,
};
