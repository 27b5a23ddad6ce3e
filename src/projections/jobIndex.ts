/**
 * All users' jobs, reduced to what they are found, sorted and counted by: by admins, and for the place in the queue and
 * how long audits take. Beside `jobs`, which changes with each page of a crawl: these indexes are written only when a
 * job is submitted, starts and ends. In `jobs`, they would double what each of its changes costs.
 */
import type { JobGroup } from '../model/jobs.ts';
import { ascending } from '../model/order.ts';
import type { Page, Position, ReadModels } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type JobIndexDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** The host without `www.`. */
  readonly site: string;
  readonly group: JobGroup;
  /** Position of the submission: determines the order in which a user's audits start. */
  readonly opening: Position;
  /** UTC ISO, like all times here. */
  readonly createdAt: string;
  /** Null unless it failed; a canceled job did not. */
  readonly failedAt: string | null;
  /** Null for an audit that says nothing about how long audits take: canceled, or failed before it started. */
  readonly state: 'waiting' | 'running' | 'ended' | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
};

export const jobIndex = projection<JobIndexDocument>()({
  name: 'jobIndex',
  version: 2,
  indexes: [
    ['createdAt'],
    ['group', 'createdAt'],
    ['site', 'createdAt'],
    ['group', 'site', 'createdAt'],
    ['userId', 'createdAt'],
    ['group', 'userId', 'createdAt'],
    ['userId', 'startedAt'],
    ['failedAt'],
    ['state', 'userId', 'opening'],
    ['state', 'endedAt'],
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    JobSubmitted: (_, { data: { jobId, userId, host, submittedAt }, position }) => ({
      jobId,
      userId,
      site: siteOf(host),
      group: 'processing',
      opening: position,
      createdAt: submittedAt,
      failedAt: null,
      state: 'waiting',
      startedAt: null,
      endedAt: null,
    }),
    // Even if resumed, it has been running since its first start.
    JobStarted: (job, { data }) =>
      job?.state === 'waiting' ? { ...job, state: 'running', startedAt: data.startedAt } : job,
    JobCompleted: (job, { data }) => job && { ...ended(job, data.completedAt), group: 'completed' },
    JobPartiallyCompleted: (job, { data }) => job && { ...ended(job, data.completedAt), group: 'completed' },
    JobPartiallySucceeded: (job, { data }) => job && { ...ended(job, data.completedAt), group: 'completed' },
    // When a user cancels says nothing about how long audits take.
    JobCancelled: (job) => job && { ...job, group: 'failed', state: null },
    JobFailed: (job, { data }) => job && { ...ended(job, data.failedAt), group: 'failed', failedAt: data.failedAt },
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

/** An audit that never started took no time. */
function ended(job: JobIndexDocument, endedAt: string): JobIndexDocument {
  return job.startedAt === null ? { ...job, state: null } : { ...job, state: 'ended', endedAt };
}

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
): Promise<Page<JobIndexDocument>> {
  const direction = descending ? 'desc' : 'asc';
  return readModels.find<JobIndexDocument>(jobIndex.name, {
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
  return readModels.count(jobIndex.name, { group: 'processing' });
}

/** How many jobs failed at or after that time (UTC ISO). Canceled ones are not counted. */
export function countFailedSince(readModels: ReadModels, since: string): Promise<number> {
  return readModels.count(jobIndex.name, { failedAt: { gte: since } });
}

/** The waiting ones among these jobs, in starting order. */
export async function listWaiting(
  readModels: ReadModels,
  jobIds: readonly string[],
): Promise<readonly JobIndexDocument[]> {
  const found = await readModels.getMany<JobIndexDocument>(jobIndex.name, jobIds);
  return found
    .map(({ data }) => data)
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => ascending(a.opening, b.opening));
}

/** A user's waiting audits from that position on, in starting order. */
export async function listWaitingFrom(
  readModels: ReadModels,
  query: { readonly userId: string; readonly from: Position; readonly limit: number },
): Promise<readonly JobIndexDocument[]> {
  const { userId, from, limit } = query;
  const where = { state: 'waiting', userId, opening: { gte: from } };
  return (
    await readModels.find<JobIndexDocument>(jobIndex.name, { where, sort: [['opening', 'asc']], limit })
  ).documents.map(({ data }) => data);
}

/** Audits that have started and not ended: a user's, or all, which are limited by the installation's capacity. */
export async function listRunning(readModels: ReadModels, userId?: string): Promise<readonly JobIndexDocument[]> {
  const where = { state: 'running', ...(userId === undefined ? {} : { userId }) };
  return (await readModels.find<JobIndexDocument>(jobIndex.name, { where, limit: 1_000 })).documents.map(
    ({ data }) => data,
  );
}

/** Whether an audit of the user's, not deleted since, started at or after that time (UTC ISO). */
export async function hasStartedSince(readModels: ReadModels, userId: string, since: string): Promise<boolean> {
  const where = { userId, startedAt: { gte: since } };
  return (await readModels.find<JobIndexDocument>(jobIndex.name, { where, limit: 1 })).documents.length > 0;
}

/** How many of a user's waiting audits were submitted before a position. */
export function countWaiting(
  readModels: ReadModels,
  { userId, before }: { readonly userId: string; readonly before: Position },
): Promise<number> {
  return readModels.count(jobIndex.name, { state: 'waiting', userId, opening: { lt: before } });
}

/** Whether audits of any other users are waiting. The cost grows with the number of `users`, not of waiting audits. */
export async function othersWait(readModels: ReadModels, users: ReadonlySet<string>): Promise<boolean> {
  for (let after = ''; ; ) {
    const { documents } = await readModels.find<JobIndexDocument>(jobIndex.name, {
      where: { state: 'waiting', userId: { gt: after } },
      sort: [
        ['userId', 'asc'],
        ['opening', 'asc'],
      ],
      limit: 1,
    });
    const [first] = documents;
    if (!first || !users.has(first.data.userId)) return first !== undefined;
    after = first.data.userId;
  }
}

/** All users' audits that ended at or after that time (UTC ISO), newest first. */
export async function listEndedSince(
  readModels: ReadModels,
  query: { readonly since: string; readonly limit: number },
): Promise<readonly JobIndexDocument[]> {
  const { since, limit } = query;
  const where = { state: 'ended', endedAt: { gte: since } };
  return (
    await readModels.find<JobIndexDocument>(jobIndex.name, { where, sort: [['endedAt', 'desc']], limit })
  ).documents.map(({ data }) => data);
}
