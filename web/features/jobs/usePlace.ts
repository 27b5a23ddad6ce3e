import { useMemo } from 'react';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { useListJobsQuery } from './jobsApi.ts';
import { isWaiting, placesInQueue } from './queue.ts';

/** The number of the user's own jobs ahead of it; null when it is not queued, or when unknown. */
export function usePlace(job: JobView): number | null {
  const { data } = useListJobsQuery();
  const places = useMemo(() => (data ? placesInQueue(data) : null), [data]);
  return isWaiting(job) ? (places?.get(job.id) ?? job.queue?.ahead ?? null) : null;
}
