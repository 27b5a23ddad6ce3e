/** Users' progress with their action items, for admins. */
import * as z from 'zod';
import { Cursor, PageLimit } from '../paging.ts';

export const USER_PROGRESS_SORTS = [
  'email',
  'domain',
  'total_actions',
  'completion_percentage',
  'time_saved',
  'last_activity',
] as const;
export type UserProgressSort = (typeof USER_PROGRESS_SORTS)[number];

/** One row per user and site. A user without action items has one row, with zeros and a domain of '–'. */
export const UserProgressView = z.object({
  user_id: z.string(),
  email: z.string(),
  domain: z.string(),
  total_actions: z.number().int(),
  completed_actions: z.number().int(),
  in_progress_actions: z.number().int(),
  /** Integer. */
  completion_percentage: z.number().int(),
  /** Minutes: total of the estimates of completed items. */
  time_saved: z.number().int(),
  /** The last move, note or audit. */
  last_activity: z.string().nullable(),
});
export type UserProgressView = z.infer<typeof UserProgressView>;

export const UserProgressQuery = z.object({
  sort: z.enum(USER_PROGRESS_SORTS).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  /**
   * A prefix of the email address. Matches that do not fit on one page are ordered by address, whatever `sort` says.
   */
  search: z.string().trim().max(254).optional(),
  limit: PageLimit,
  cursor: Cursor,
});

/** `summary`: for all users, regardless of the search. */
export const UserProgressResponse = z.object({
  success: z.literal(true),
  data: z.array(UserProgressView),
  summary: z.object({
    users: z.number().int(),
    total_actions: z.number().int(),
    completed_actions: z.number().int(),
    time_saved: z.number().int(),
  }),
  cursor: z.string().nullable(),
});
export type UserProgressResponse = z.infer<typeof UserProgressResponse>;
