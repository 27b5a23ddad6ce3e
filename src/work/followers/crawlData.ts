/** Deletes the working data of a job that has ended. */
import { deleteCrawl } from '../../commands/job/crawlParts.ts';
import { JOB_ENDS } from '../../domain/job/job.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createCrawlData({ store }: { readonly store: EventStore }): Follower {
  return followerOf({
    name: 'crawlData',
    types: JOB_ENDS,
    begins: 'at_the_start',
    follow: ({ data }) => deleteCrawl(store, data.jobId),
  });
}
