/** Work that was given up, for the admin's system page. */
import * as z from 'zod';
import { Cursor, PageLimit } from '../paging.ts';

export const GivenUpQuery = z.object({
  kind: z.string().min(1).max(100).optional(),
  limit: PageLimit,
  cursor: Cursor,
});

export const GivenUpView = z.object({
  kind: z.string(),
  item_id: z.string(),
  /** In plain words: a host, an email and its reader, an event and its webhook … */
  about: z.string(),
  /** Null if it is nobody's, or the account is gone. */
  owner: z.object({ id: z.string(), email: z.string() }).nullable(),
  /** Null if the log does not count them. */
  attempts: z.number().int().nullable(),
  reason: z.string(),
  given_up_at: z.string(),
  /** Its stream in the history. */
  stream: z.string(),
});
export type GivenUpView = z.infer<typeof GivenUpView>;
export const GivenUpResponse = z.object({
  success: z.literal(true),
  items: z.array(GivenUpView),
  cursor: z.string().nullable(),
});
export type GivenUpResponse = z.infer<typeof GivenUpResponse>;

export const RetryAllRequest = z.object({ kind: z.string().min(1).max(100), cursor: Cursor });
export type RetryAllRequest = z.infer<typeof RetryAllRequest>;
export const RetryAllResponse = z.object({
  success: z.literal(true),
  retried: z.number().int(),
  /** They stay in the list; retrying one of them says why. */
  refused: z.number().int(),
  /** There are more: ask again with it. */
  cursor: z.string().nullable(),
});
export type RetryAllResponse = z.infer<typeof RetryAllResponse>;
