/** Jobs of one user; queued ones with their place in the queue. */
import type { JobDocument } from '../../projections/jobs.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import { placesInQueue } from '../../work/queue.ts';
import type { JobView } from '../contract/jobs.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { isWaiting, presentJob } from '../present/job.ts';
import { withProgress } from './liveProgress.ts';

/** `now`: UTC ISO. */
export async function presentJobs(
  { readModels, liveProgress }: Pick<HttpDeps, 'readModels' | 'liveProgress'>,
  jobs: readonly StoredDocument<JobDocument>[],
  now: string,
): Promise<JobView[]> {
  const waiting = jobs.filter(({ data }) => isWaiting(data));
  const userId = waiting[0]?.data.userId ?? '';
  const places = await placesInQueue(readModels, { userId, jobIds: waiting.map(({ id }) => id), now });
  return jobs.map((job) => presentJob(withProgress(job, liveProgress), now, places.get(job.id)));
}
