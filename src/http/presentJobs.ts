/** Jobs of one user with the turns of those that wait. */
import type { JobDocument } from '../projections/jobs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { turnsOf } from '../work/queue.ts';
import type { JobView } from './contract/jobs.ts';
import { isWaiting, presentJob } from './present/job.ts';

/** `now`: UTC ISO. */
export async function presentJobs(readModels: ReadModels, jobs: readonly StoredDocument<JobDocument>[], now: string): Promise<JobView[]> {
  const waiting = jobs.filter(({ data }) => isWaiting(data));
  const userId = waiting[0]?.data.userId ?? '';
  const turns = await turnsOf(readModels, { userId, jobIds: waiting.map(({ id }) => id), now });
  return jobs.map((job) => presentJob(job, now, turns.get(job.id)));
}
