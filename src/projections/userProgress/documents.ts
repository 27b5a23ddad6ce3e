/** The documents of `userProgress`, by kind. */
import type { ActionStatus } from '../../model/actions.ts';

/** The counted fields of one audit's action items. */
export type JobItems = {
  readonly kind: 'job';
  readonly jobId: string;
  readonly userId: string;
  /** The sum of its site. */
  readonly siteId: string;
  readonly host: string;
  /** When its owner last worked on it. */
  readonly activeAt: string;
  readonly items: Readonly<Record<string, CountedItem>>;
  /** After a regeneration: the earlier items to continue; some of the new ones may be in a later event. */
  readonly carried: Readonly<Record<string, CountedItem>>;
};

/** `marked`: suggested as optional, so that it counts only once it is `chosen`. */
export type CountedItem = {
  readonly minutes: number;
  readonly status: ActionStatus;
  readonly marked: boolean;
  readonly chosen: boolean;
};

export type User = { readonly kind: 'user'; readonly userId: string; readonly email: string };

export type Counts = {
  readonly total: number;
  readonly completed: number;
  readonly inProgress: number;
  readonly minutes: number;
};

/** What a sum counts of its sources. */
export type Counted = Counts & { readonly users: number; readonly jobs: number };

/** The sum of a user's audits of one site, or of all of them. */
export type Progress = {
  /** `row`: listed. A site without action items is not, nor are all sites of a user who has items or is gone. */
  readonly kind: 'row' | 'hidden';
  readonly userId: string;
  /** `NO_DOMAIN` for all sites. */
  readonly domain: string;
  readonly totalActions: number;
  readonly completedActions: number;
  readonly inProgressActions: number;
  /** Whole number. */
  readonly completionPercentage: number;
  /** Minutes: the estimates of completed items. */
  readonly timeSaved: number;
  /** The last move, note, rating, choice or audit. */
  readonly lastActivity: string | null;
  readonly users: number;
  readonly jobs: number;
};

/** The sum of all users. */
export type Totals = Counted & { readonly kind: 'totals' };

export type UserProgressDocument = JobItems | User | Progress | Totals;

export const NO_DOMAIN = '–';
export const TOTALS_ID = 'totals';

export const jobKey = (jobId: string): string => `job:${jobId}`;
export const userKey = (userId: string): string => `user:${userId}`;
export const allSitesKey = (userId: string): string => `all:${userId}`;
