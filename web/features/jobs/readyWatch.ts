/** Detects when a job's action items become ready, whatever the source of the update. */
import type { Middleware } from '@reduxjs/toolkit';
import { jobsApi } from './jobsApi.ts';
import type { JobsCache } from './jobsCache.ts';
import { actionsReady, type ReadyJob } from './jobsSlice.ts';

/** Jobs whose actions have just become ready. A job never seen unfinished is not reported. */
export function newlyReady(before: JobsCache, after: JobsCache): ReadyJob[] {
  return Object.values(after.jobs)
    .filter((job) => {
      const held = before.jobs[job.id];
      return (
        held &&
        held !== job &&
        held.action_generation_status !== 'completed' &&
        job.action_generation_status === 'completed' &&
        job.action_count > 0
      );
    })
    .map((job) => ({ jobId: job.id, url: job.url, host: job.host, actionCount: job.action_count }));
}

const selectList = jobsApi.endpoints.listJobs.select(undefined);
type ApiState = Parameters<typeof selectList>[0];

export const readyWatch: Middleware<object, ApiState> = (store) => (next) => (action) => {
  const before = selectList(store.getState()).data;
  const result = next(action);
  const after = selectList(store.getState()).data;
  if (before && after && before !== after) {
    const ready = newlyReady(before, after);
    if (ready.length > 0) store.dispatch(actionsReady(ready));
  }
  return result;
};
