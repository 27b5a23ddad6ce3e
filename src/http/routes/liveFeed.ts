/** What a running audit reads, while it reads it. */
import { NO_COUNTS } from '../../model/liveFeed.ts';
import { LiveFeedQuery, LiveFeedResponse } from '../contract/liveFeed.ts';
import { route } from '../routing/route.ts';
import { JobParams } from './jobs.ts';

export const getLiveFeed = route({
  method: 'GET',
  path: '/jobs/{jobId}/feed',
  access: 'owner-of-job',
  summary: 'List the addresses that a running audit read last, newest first; none before and after it',
  params: JobParams,
  query: LiveFeedQuery,
  response: LiveFeedResponse,
  handler: async ({ deps, job, query: { after = 0 } }) => {
    const feed = job.data.finished ? null : ((await deps.liveFeed?.read(job.id)) ?? null);
    const { from, counts, rows } = feed ?? { from: null, counts: NO_COUNTS, rows: [] };
    return { success: true as const, data: { from, counts, rows: rows.filter(({ n }) => n > after).reverse() } };
  },
});
