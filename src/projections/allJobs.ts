/**
 * Everybody's jobs, in the few words by which admins filter, order, count and search them. Small beside `jobs`, which changes with each page: its
 * indexes are written when a job comes and when it ends.
 */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { JobGroup } from '../model/jobs.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type AllJobsDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** Its host without `www.`. */
  readonly site: string;
  readonly group: JobGroup;
  /** UTC ISO, as all times here. */
  readonly createdAt: string;
  readonly endedAt: string | null;
};

type ListedEvent =
  | JobDeletionsEvent
  | Extract<
      JobEvent,
      { readonly type: 'JobSubmitted' | 'JobCompleted' | 'JobPartiallyCompleted' | 'JobPartiallySucceeded' | 'JobCancelled' | 'JobFailed' | 'JobDeleted' }
    >;

export const allJobs: Projection<AllJobsDocument, ListedEvent> = {
  name: 'allJobs',
  version: 1,
  indexes: [
    ['createdAt'],
    ['group', 'createdAt'],
    ['site', 'createdAt'],
    ['group', 'site', 'createdAt'],
    ['userId', 'createdAt'],
    ['group', 'userId', 'createdAt'],
    ['group', 'endedAt'],
  ],
  handles: ['JobSubmitted', 'JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobCancelled', 'JobFailed', 'JobDeleted', 'JobsDeleted'],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  evolve(job, event) {
    switch (event.type) {
      case 'JobSubmitted': {
        const { jobId, userId, host, submittedAt } = event.data;
        return { jobId, userId, site: siteOf(host), group: 'processing', createdAt: submittedAt, endedAt: null };
      }
      case 'JobCompleted':
      case 'JobPartiallyCompleted':
      case 'JobPartiallySucceeded':
        return job && { ...job, group: 'completed', endedAt: event.data.completedAt };
      case 'JobFailed':
        return job && { ...job, group: 'failed', endedAt: event.data.failedAt };
      case 'JobCancelled':
        return job && { ...job, group: 'failed', endedAt: event.data.cancelledAt };
      case 'JobDeleted':
      case 'JobsDeleted':
        return null;
      default:
        event satisfies never;
        return job;
    }
  },
};

/** A host, or the beginning of one, as it is searched for. */
export const siteOf = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');

export type AllJobsQuery = {
  readonly group?: JobGroup | undefined;
  readonly by: 'date' | 'website' | 'status';
  readonly descending: boolean;
  /** What sites begin with, which orders by website; or whose jobs, which orders by date. */
  readonly of?: { readonly site: string } | { readonly userIds: readonly string[] };
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const FIELDS = { date: ['createdAt'], website: ['site', 'createdAt'], status: ['group', 'createdAt'] } as const;

/** In the order of an index, whatever is asked for. */
export function listAllJobs(readModels: ReadModels, { group, by, descending, of, limit, cursor }: AllJobsQuery): Promise<Page<AllJobsDocument>> {
  const direction = descending ? 'desc' : 'asc';
  return readModels.find<AllJobsDocument>(allJobs.name, {
    where: { ...(group === undefined ? {} : { group }), ...(of ? conditionOf(of) : {}) },
    sort: FIELDS[by].map((field) => [field, direction] as const),
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

function conditionOf(of: NonNullable<AllJobsQuery['of']>) {
  if ('site' in of) return { site: { gte: of.site, lt: `${of.site}\uffff` } };
  const [first, ...others] = of.userIds;
  // Of one alone the index has them in order; of several they must be sorted.
  return { userId: first !== undefined && others.length === 0 ? first : { in: of.userIds } };
}

/** How many are under way. Few, however many there are. */
export function countUnderWay(readModels: ReadModels): Promise<number> {
  return readModels.count(allJobs.name, { group: 'processing' });
}

/** How many failed or were cancelled at or after that time (UTC ISO). */
export function countFailedSince(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count(allJobs.name, { group: 'failed', endedAt: { gte: since } });
}
