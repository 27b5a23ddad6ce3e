/** Applies rows of the realtime channel `jobs` to the list's cache. */
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { callEach } from '../../api/listeners.ts';
import type { RowEvent } from '../../api/live.ts';
import { jobsApi, patchJobs } from './jobsApi.ts';
import { type JobsCache, putJob, removeJob } from './jobsCache.ts';

export function applyJobEvent(cache: JobsCache, event: RowEvent, now: number): void {
  if (event.eventType === 'DELETE') {
    if (typeof event.old?.id === 'string') removeJob(cache, event.old.id);
    return;
  }
  const row = event.new as Partial<JobView> | null;
  // A row without these would corrupt the table; the next list has it in full.
  if (!row || typeof row.id !== 'string' || typeof row.status !== 'string') return;
  // The row of a queued job does not include when it starts, so the known value is kept.
  putJob(
    cache,
    { queue: null, ...cache.jobs[row.id], ...row, position: row.position ?? event.position } as JobView,
    now,
  );
}

export function patchJobRows(events: readonly RowEvent[]) {
  const now = Date.now();
  return patchJobs((cache) => callEach(events, (event) => applyJobEvent(cache, event, now)));
}

export const loadJobs = () => jobsApi.endpoints.listJobs.initiate();

const selectList = jobsApi.endpoints.listJobs.select(undefined);

/** Null until the list is loaded. */
export function selectJobsPosition(state: Parameters<typeof selectList>[0]): string | null {
  const { data } = selectList(state);
  return data ? data.position : null;
}
