/**
 * Erases the results of deleted jobs, and ends and deletes each job of a bulk deletion. The command handles the first
 * few immediately.
 */
import type { ContextOf } from '../../commands/context.ts';
import { eraseJobContent } from '../../commands/job/deleteJob.ts';
import { carryOutDeletions } from '../../commands/job/deleteJobs.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createDeletedJobs({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'deletedJobs',
    types: ['JobDeleted', 'JobsDeleted'],
    begins: 'at_the_start',
    async follow(event, signal) {
      const ctx = context(event);
      if (isOf(event, 'JobsDeleted')) await carryOutDeletions(ctx, event.data, signal);
      else await eraseJobContent(ctx, event.data.jobId);
    },
  });
}
