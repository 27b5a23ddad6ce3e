/**
 * When each audit was submitted, started and ended: for the place in the queue, and how long audits take. Small
 * compared to `jobs`, which changes with each page.
 */
import { ascending } from '../model/order.ts';
import type { Position, ReadModels } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type AuditTimesDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly state: 'waiting' | 'running' | 'ended';
  /** Position of the submission: determines the order in which a user's audits start. */
  readonly opening: Position;
  /** UTC ISO, like all times here. */
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
};

export const auditTimes = projection<AuditTimesDocument>()({
  name: 'auditTimes',
  version: 1,
  indexes: [
    ['state', 'userId', 'opening'],
    ['state', 'endedAt'],
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    JobSubmitted: (_, { data: { jobId, userId, submittedAt }, position }) => ({
      jobId,
      userId,
      state: 'waiting',
      opening: position,
      submittedAt,
      startedAt: null,
      endedAt: null,
    }),
    // Even if resumed, it has been running since its first start.
    JobStarted: (times, { data }) =>
      times?.state === 'waiting' ? { ...times, state: 'running', startedAt: data.startedAt } : times,
    JobCompleted: (times, { data }) => ended(times, data.completedAt),
    JobPartiallyCompleted: (times, { data }) => ended(times, data.completedAt),
    JobPartiallySucceeded: (times, { data }) => ended(times, data.completedAt),
    // When a user cancels says nothing about how long audits take.
    JobCancelled: () => null,
    JobFailed: (times, { data }) => ended(times, data.failedAt),
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

/** An audit that never started took no time. */
function ended(times: AuditTimesDocument | null, endedAt: string): AuditTimesDocument | null {
  return times && times.startedAt !== null ? { ...times, state: 'ended', endedAt } : null;
}

/** The waiting ones among these jobs, in starting order. */
export async function listWaiting(
  readModels: ReadModels,
  jobIds: readonly string[],
): Promise<readonly AuditTimesDocument[]> {
  const found = await readModels.getMany<AuditTimesDocument>(auditTimes.name, jobIds);
  return found
    .map(({ data }) => data)
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => ascending(a.opening, b.opening));
}

/** A user's waiting audits from that position on, in starting order. */
export async function listWaitingFrom(
  readModels: ReadModels,
  query: { readonly userId: string; readonly from: Position; readonly limit: number },
): Promise<readonly AuditTimesDocument[]> {
  const { userId, from, limit } = query;
  const where = { state: 'waiting', userId, opening: { gte: from } };
  return (
    await readModels.find<AuditTimesDocument>(auditTimes.name, { where, sort: [['opening', 'asc']], limit })
  ).documents.map(({ data }) => data);
}

/** Audits that have started and not ended: a user's, or all, which are limited by the installation's capacity. */
export async function listRunning(readModels: ReadModels, userId?: string): Promise<readonly AuditTimesDocument[]> {
  const where = { state: 'running', ...(userId === undefined ? {} : { userId }) };
  return (await readModels.find<AuditTimesDocument>(auditTimes.name, { where, limit: 1_000 })).documents.map(
    ({ data }) => data,
  );
}

/** How many of a user's waiting audits were submitted before a position. */
export function countWaiting(
  readModels: ReadModels,
  { userId, before }: { readonly userId: string; readonly before: Position },
): Promise<number> {
  return readModels.count(auditTimes.name, { state: 'waiting', userId, opening: { lt: before } });
}

/** Whether audits of any other users are waiting. The cost grows with the number of `users`, not of waiting audits. */
export async function othersWait(readModels: ReadModels, users: ReadonlySet<string>): Promise<boolean> {
  for (let after = ''; ; ) {
    const { documents } = await readModels.find<AuditTimesDocument>(auditTimes.name, {
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
): Promise<readonly AuditTimesDocument[]> {
  const { since, limit } = query;
  const where = { state: 'ended', endedAt: { gte: since } };
  return (
    await readModels.find<AuditTimesDocument>(auditTimes.name, { where, sort: [['endedAt', 'desc']], limit })
  ).documents.map(({ data }) => data);
}
