/** The documents of `userProgress`, by their kinds. */
import type { ActionStatus } from '../../model/actions.ts';

/** The action items of one analysis, as far as they are counted. */
export type JobItems = {
  readonly kind: 'job';
  readonly jobId: string;
  readonly userId: string;
  readonly host: string;
  /** When its owner last did something with it. */
  readonly activeAt: string;
  /** By item: minutes and status. */
  readonly items: Readonly<Record<string, readonly [minutes: number, status: ActionStatus]>>;
  /** After the items were written anew: how far those had come that go on; some of them may still be to follow. */
  readonly carried: Readonly<Record<string, ActionStatus>>;
};

export type Counts = { readonly total: number; readonly completed: number; readonly inProgress: number; readonly minutes: number };

/** One analysis, as its shard counts it. */
export type JobCounts = Counts & { readonly host: string; readonly activeAt: string };

/** Some of a user's jobs: with all of them in one document, each move of one would write them all. */
export type Shard = { readonly kind: 'shard'; readonly userId: string; readonly jobs: Readonly<Record<string, JobCounts>> };

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
  /** `NO_DOMAIN` in the one row of a user without action items. */
  readonly domain: string;
  readonly totalActions: number;
  readonly completedActions: number;
  readonly inProgressActions: number;
  /** Whole. */
  readonly completionPercentage: number;
  /** Minutes: the estimates of completed items. */
  readonly timeSaved: number;
  /** The last move, note or analysis. */
  readonly lastActivity: string | null;
};

/** The users of one part of the totals. Apart, so that a move does not write everybody's numbers. */
export type TotalsPart = { readonly kind: 'part'; readonly users: Readonly<Record<string, Counts>> };

export type Totals = { readonly kind: 'totals'; readonly parts: Readonly<Record<string, Counts & { readonly users: number }>> };

export type UserProgressDocument = JobItems | Shard | UserCounts | ProgressRow | TotalsPart | Totals;

export const NO_DOMAIN = '–';
export const TOTALS_ID = 'totals';

export const jobKey = (jobId: string): string => `job:${jobId}`;
export const userKey = (userId: string): string => `user:${userId}`;
/** By its number: a host would stay in the id of what was deleted. */
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
