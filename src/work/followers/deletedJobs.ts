/** Erases what deleted jobs found, and ends and deletes each of those that were deleted together. The command does the first few of them at once. */
import type { CommandContext } from '../../commands/context.ts';
import { eraseJobContent } from '../../commands/job/deleteJob.ts';
import { carryOutDeletions } from '../../commands/job/deleteJobs.ts';
import type { JobDeletionsEvent, JobEvent } from '../../domain/job/events.ts';
import type { Follower } from '../follower.ts';

type Deleted = Extract<JobEvent, { readonly type: 'JobDeleted' }> | JobDeletionsEvent;

export function createDeletedJobs({ context }: { readonly context: () => CommandContext }): Follower {
  return {
    name: 'deletedJobs',
    types: ['JobDeleted', 'JobsDeleted'] satisfies readonly Deleted['type'][],
    begins: 'at_the_start',
    async follow({ type, data }, signal) {
      const ctx = context();
      if (type === 'JobsDeleted') await carryOutDeletions(ctx, data as JobDeletionsEvent['data'], signal);
      else await eraseJobContent(ctx.store, (data as { readonly jobId: string }).jobId);
    },
  };
}
