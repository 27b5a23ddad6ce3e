/** Erases what a deleted job found. The command does it at once; this one makes good what a crash left. */
import { eraseJobContent } from '../../commands/job/deleteJob.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createDeletedJobs({ store }: { readonly store: EventStore }): Follower {
  return followerOf({
    name: 'deletedJobs',
    types: ['JobDeleted'],
    begins: 'at_the_start',
    follow: ({ data }) => eraseJobContent(store, data.jobId),
  });
}
