/** The documents of `userProgress`, by kind. */
import type { ActionStatus } from '../../model/actions.ts';

/** The counted fields of one audit's action items. */
export type JobItems = {
  readonly kind: 'job';
  readonly jobId: string;
  readonly userId: string;
  readonly host: string;
  /** When its owner last worked on it. */
  readonly activeAt: string;
  /** By item: minutes and status. */
  readonly items: Readonly<Record<string, readonly [minutes: number, status: ActionStatus]>>;
  /** After a regeneration: statuses to carry over; some of these items may be in a later event. */
  readonly carried: Readonly<Record<string, ActionStatus>>;
};

export type Counts = {
  readonly total: number;
  readonly completed: number;
  readonly inProgress: number;
  readonly minutes: number;
};

/** One audit's contribution to its shard. */
export type JobCounts = Counts & { readonly host: string; readonly activeAt: string };

/** A subset of a user's jobs: with all jobs in one document, each move of an item would rewrite all of them. */
export type Shard = {
  readonly kind: 'shard';
  readonly userId: string;
  readonly jobs: Readonly<Record<string, JobCounts>>;
};

/** The jobs of one host in a shard. */
export type HostCounts = Counts & { readonly activeAt: string };

/** `shards`: by shard and host. */
export type UserCounts = {
  readonly kind: 'user';
  readonly userId: string;
  readonly email: string;
  readonly shards: Readonly<Record<string, Readonly<Record<string, HostCounts>>>>;
};

export type ProgressRow = {
  readonly kind: 'row';
  readonly userId: string;
  readonly email: string;
  /** `NO_DOMAIN` in the only row of a user without action items. */
  readonly domain: string;
  readonly totalActions: number;
  readonly completedActions: number;
  readonly inProgressActions: number;
  /** Whole number. */
  readonly completionPercentage: number;
  /** Minutes: the estimates of completed items. */
  readonly timeSaved: number;
  /** The last move, note or audit. */
  readonly lastActivity: string | null;
};

/** A subset of the users, for the totals. Split up, so that a move does not rewrite all users' numbers. */
export type TotalsPart = { readonly kind: 'part'; readonly users: Readonly<Record<string, Counts>> };

export type Totals = {
  readonly kind: 'totals';
  readonly parts: Readonly<Record<string, Counts & { readonly users: number }>>;
};

export type UserProgressDocument = JobItems | Shard | UserCounts | ProgressRow | TotalsPart | Totals;

export const NO_DOMAIN = '–';
export const TOTALS_ID = 'totals';

export const jobKey = (jobId: string): string => `job:${jobId}`;
export const userKey = (userId: string): string => `user:${userId}`;
/** Numbered rather than named: otherwise the ids of deleted documents would contain the host. */
export const rowKey = (userId: string, nth: number | string): string => `row:${userId}:${nth}`;

const SHARDS = 128;
export const shardKey = (userId: string, jobId: string): string => `shard:${userId}:${bucketOf(jobId, SHARDS)}`;

const PARTS = 256;
export const partKey = (userId: string): string => `part:${bucketOf(userId, PARTS)}`;

function bucketOf(id: string, buckets: number): number {
  let hash = 0;
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return hash % buckets;
}
