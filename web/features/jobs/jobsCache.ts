/**
 * The browser's cache of jobs, merging three sources (lists, single responses, the socket): of two states of a job the
 * one with the later position wins, in whatever order they arrive. Functions here mutate the cache.
 */
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { byQueueOrder, isWaiting } from './queue.ts';

export interface JobsCache {
  jobs: Record<string, JobView>;
  /** When a response or the socket last updated the job, in ms since the epoch. */
  putAt: Record<string, number>;
  /** Deleted for good: a late response must not restore them. */
  removed: Record<string, true>;
  /** Older jobs exist that were not loaded. */
  truncated: boolean;
  /** Number of queued jobs ahead of the first one in the last list, beyond that list's limit. */
  waitingBefore: number;
  /** When the last list was requested; it may lack later changes. */
  askedAt: number;
  /** Log position of the last list, from which the socket continues. */
  position: string;
}

export interface JobList {
  readonly jobs: readonly JobView[];
  readonly truncated: boolean;
  readonly askedAt: number;
  readonly position: string;
}

const BEGINNING = '0'.repeat(20);

export function emptyJobs(): JobsCache {
  return { jobs: {}, putAt: {}, removed: {}, truncated: false, waitingBefore: 0, askedAt: 0, position: BEGINNING };
}

/** An equal position is accepted too, as a newer response has a newer estimate. */
export function putJob(cache: JobsCache, job: JobView, now: number): void {
  if (cache.removed[job.id]) return;
  const held = cache.jobs[job.id];
  if (held && held.position > job.position) return;
  cache.jobs[job.id] = job;
  cache.putAt[job.id] = now;
}

export function removeJob(cache: JobsCache, id: string): void {
  delete cache.jobs[id];
  delete cache.putAt[id];
  cache.removed[id] = true;
}

/** A job missing from the list is removed, unless it was added after the list was requested. */
export function mergeList(cache: JobsCache, list: JobList): void {
  const named = new Set(list.jobs.map((job) => job.id));
  for (const id of Object.keys(cache.jobs)) {
    if (named.has(id) || (cache.putAt[id] ?? 0) >= list.askedAt) continue;
    delete cache.jobs[id];
    delete cache.putAt[id];
  }
  for (const job of list.jobs) putJob(cache, job, list.askedAt);
  cache.truncated = list.truncated;
  cache.waitingBefore = list.jobs.filter(isWaiting).sort(byQueueOrder)[0]?.queue?.ahead ?? 0;
  cache.askedAt = list.askedAt;
  cache.position = list.position;
}
