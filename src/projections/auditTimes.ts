/**
 * When each audit was submitted, started and ended: for the place in the queue, and how long audits take. Small compared to `jobs`, which changes with
 * each page.
 */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { ascending } from '../model/order.ts';
import type { Position, ReadModels } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

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

type TimedEvent =
  | JobDeletionsEvent
  | Extract<
      JobEvent,
      {
        readonly type:
          | 'JobSubmitted'
          | 'JobStarted'
          | 'JobCompleted'
          | 'JobPartiallyCompleted'
          | 'JobPartiallySucceeded'
          | 'JobCancelled'
          | 'JobFailed'
          | 'JobDeleted';
      }
    >;

export const auditTimes: Projection<AuditTimesDocument, TimedEvent> = {
  name: 'auditTimes',
  version: 1,
  indexes: [
    ['state', 'userId', 'opening'],
    ['state', 'endedAt'],
  ],
  handles: [
    'JobSubmitted',
    'JobStarted',
    'JobCompleted',
    'JobPartiallyCompleted',
    'JobPartiallySucceeded',
    'JobCancelled',
    'JobFailed',
    'JobDeleted',
    'JobsDeleted',
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  evolve(times, event) {
    if (event.type === 'JobSubmitted') return submitted(event);
    return times && evolveTimes(times, event);
  },
};

function submitted({ data, position }: Extract<Recorded<JobEvent>, { readonly type: 'JobSubmitted' }>): AuditTimesDocument {
  const { jobId, userId, submittedAt } = data;
  return { jobId, userId, state: 'waiting', opening: position, submittedAt, startedAt: null, endedAt: null };
}

function evolveTimes(times: AuditTimesDocument, event: Exclude<Recorded<TimedEvent>, { readonly type: 'JobSubmitted' }>): AuditTimesDocument | null {
  switch (event.type) {
    case 'JobStarted':
      // Even if resumed, it has been running since its first start.
      return times.state === 'waiting' ? { ...times, state: 'running', startedAt: event.data.startedAt } : times;
    case 'JobCompleted':
    case 'JobPartiallyCompleted':
    case 'JobPartiallySucceeded':
      return ended(times, event.data.completedAt);
    case 'JobFailed':
      return ended(times, event.data.failedAt);
    // When a user cancels says nothing about how long audits take.
    case 'JobCancelled':
    case 'JobDeleted':
    case 'JobsDeleted':
      return null;
    default:
      event satisfies never;
      return times;
  }
}

/** An audit that never started took no time. */
function ended(times: AuditTimesDocument, endedAt: string): AuditTimesDocument | null {
  return times.startedAt === null ? null : { ...times, state: 'ended', endedAt };
}

/** The waiting ones among these jobs, in starting order. */
export async function listWaiting(readModels: ReadModels, jobIds: readonly string[]): Promise<readonly AuditTimesDocument[]> {
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
  return (await readModels.find<AuditTimesDocument>(auditTimes.name, { where, sort: [['opening', 'asc']], limit })).documents.map(({ data }) => data);
}

/** Audits that have started and not ended: a user's, or all, which are limited by the installation's capacity. */
export async function listRunning(readModels: ReadModels, userId?: string): Promise<readonly AuditTimesDocument[]> {
  const where = { state: 'running', ...(userId === undefined ? {} : { userId }) };
  return (await readModels.find<AuditTimesDocument>(auditTimes.name, { where, limit: 1_000 })).documents.map(({ data }) => data);
}

/** How many of a user's waiting audits were submitted before a position. */
export function countWaiting(readModels: ReadModels, { userId, before }: { readonly userId: string; readonly before: Position }): Promise<number> {
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
  return (await readModels.find<AuditTimesDocument>(auditTimes.name, { where, sort: [['endedAt', 'desc']], limit })).documents.map(({ data }) => data);
}
