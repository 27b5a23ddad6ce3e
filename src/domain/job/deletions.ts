/**
 * The deletion of many jobs at once, as one fact. Stream: `job-deletions-{userId}`. Read models drop the jobs on this
 * event; what each job then needs (cancellation, its own `JobDeleted`, erasure of its findings) follows from it.
 */
import type { Decider } from '../decider.ts';
import type { JobDeletionsEvent } from './events.ts';

type DeletionsState = { readonly jobIds: ReadonlySet<string> };

export type DeletionsCommand = {
  readonly type: 'DeleteJobs';
  readonly userId: string;
  readonly jobIds: readonly string[];
  readonly at: string;
};

/** Keeps an event well below the store's size limit and cheap to fold. */
export const JOBS_OF_AN_EVENT = 500;

function evolve(state: DeletionsState, { data }: JobDeletionsEvent): DeletionsState {
  return { jobIds: new Set([...state.jobIds, ...data.jobIds]) };
}

function decide({ userId, jobIds, at }: DeletionsCommand, state: DeletionsState): readonly JobDeletionsEvent[] {
  const left = [...new Set(jobIds)].filter((jobId) => !state.jobIds.has(jobId));
  const parts = Array.from({ length: Math.ceil(left.length / JOBS_OF_AN_EVENT) }, (_, part) =>
    left.slice(part * JOBS_OF_AN_EVENT, (part + 1) * JOBS_OF_AN_EVENT),
  );
  return parts.map((some) => ({ type: 'JobsDeleted', data: { userId, jobIds: some, deletedAt: at } }));
}

export const jobDeletionsDecider: Decider<DeletionsState, DeletionsCommand, JobDeletionsEvent> = {
  initialState: () => ({ jobIds: new Set() }),
  evolve,
  decide,
};
