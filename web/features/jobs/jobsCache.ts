/**
 * The jobs as the browser holds them, and how news from three sources (lists, single answers, the socket) becomes one truth: of two states
 * of a job the one with the later position wins, in whatever order they arrive. Functions here change the cache they are given.
 */
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { byQueueOrder, isWaiting } from './queue.ts';

export interface JobsCache {
  jobs: Record<string, JobView>;
  /** When a job was last put here by an answer or the socket; milliseconds since 1970. */
  putAt: Record<string, number>;
  /** Deleted for good: a late answer must not bring them back. */
  removed: Record<string, true>;
  /** Older jobs exist that were not loaded. */
  truncated: boolean;
  /** Jobs that waited before the first waiting one of the last list, and were too many to be in it. */
  waitingBefore: number;
  /** When the last list was asked for: what changed later may be missing in it. */
  askedAt: number;
  /** Log position of the last list: the socket goes on from here. */
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

/** An equal position is taken too: a fresh answer has the newer estimate. */
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

/** What the list does not name is gone, unless it came after the list was asked for. */
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
