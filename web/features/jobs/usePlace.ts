import { useMemo } from 'react';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { useListJobsQuery } from './jobsApi.ts';
import { isWaiting, placesInQueue } from './queue.ts';

/** How many of the user's own begin before the job; null when it does not wait, or nobody knows. */
export function usePlace(job: JobView): number | null {
  const { data } = useListJobsQuery();
  const places = useMemo(() => (data ? placesInQueue(data) : null), [data]);
  return isWaiting(job) ? (places?.get(job.id) ?? job.queue?.ahead ?? null) : null;
}
