/**
 * All users' jobs, reduced to what admins filter, sort, count and search by. Small compared to `jobs`, which changes
 * with each page: its indexes are written only when a job is submitted and when it ends.
 */
import type { JobGroup } from '../model/jobs.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type AllJobsDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** The host without `www.`. */
  readonly site: string;
  readonly group: JobGroup;
  /** UTC ISO, like all times here. */
  readonly createdAt: string;
  /** Null unless it failed; a canceled job did not. */
  readonly failedAt: string | null;
};

export const allJobs = projection<AllJobsDocument>()({
  name: 'allJobs',
  version: 2,
  indexes: [
    ['createdAt'],
    ['group', 'createdAt'],
    ['site', 'createdAt'],
    ['group', 'site', 'createdAt'],
    ['userId', 'createdAt'],
    ['group', 'userId', 'createdAt'],
    ['failedAt'],
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    JobSubmitted: (_, { data: { jobId, userId, host, submittedAt } }) => ({
      jobId,
      userId,
      site: siteOf(host),
      group: 'processing',
      createdAt: submittedAt,
      failedAt: null,
    }),
    JobCompleted: (job) => job && { ...job, group: 'completed' },
    JobPartiallyCompleted: (job) => job && { ...job, group: 'completed' },
    JobPartiallySucceeded: (job) => job && { ...job, group: 'completed' },
    JobCancelled: (job) => job && { ...job, group: 'failed' },
    JobFailed: (job, { data }) => job && { ...job, group: 'failed', failedAt: data.failedAt },
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

/** Normalizes a host, or the beginning of one, for searching. */
export const siteOf = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');

export type AllJobsQuery = {
  readonly group?: JobGroup | undefined;
  readonly by: 'date' | 'website' | 'status';
  readonly descending: boolean;
  /** A site prefix, which sorts by `website`; or the owners, which sorts by date. */
  readonly of?: { readonly site: string } | { readonly userIds: readonly string[] };
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const FIELDS = { date: ['createdAt'], website: ['site', 'createdAt'], status: ['group', 'createdAt'] } as const;

/** Every query is sorted by an index. */
export function listAllJobs(
  readModels: ReadModels,
  { group, by, descending, of, limit, cursor }: AllJobsQuery,
): Promise<Page<AllJobsDocument>> {
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
  // For one user, the index provides the order; for several, sorting is required.
  return { userId: first !== undefined && others.length === 0 ? first : { in: of.userIds } };
}

/** Number of running jobs, which is always small. */
export function countUnderWay(readModels: ReadModels): Promise<number> {
  return readModels.count(allJobs.name, { group: 'processing' });
}

/** How many jobs failed at or after that time (UTC ISO). Canceled ones are not counted. */
export function countFailedSince(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count(allJobs.name, { failedAt: { gte: since } });
}
