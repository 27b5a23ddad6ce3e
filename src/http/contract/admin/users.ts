/** One user as seen by admins, and what admins can do for them. */
import * as z from 'zod';
import { MOST_CREDITS } from '../../../model/limits.ts';
import { SubscriptionStatusResponse, Transaction } from '../billing.ts';
import { JobView } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';
import { SessionView } from '../security.ts';
import { ShareItem } from '../share.ts';

export const AdminAccountView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Like `email_state` of a profile. */
  email_state: z.enum(['confirmed', 'unconfirmed', 'contended', 'lost']),
  created_at: z.string(),
  is_admin: z.boolean(),
  sign_in_enabled: z.boolean(),
});
export type AdminAccountView = z.infer<typeof AdminAccountView>;

/** Without the URL, which would open the link for anyone. */
export const AdminShareView = ShareItem.pick({
  id: true,
  title: true,
  created_at: true,
  expires_at: true,
  is_active: true,
  share_mode: true,
  view_count: true,
  job_id: true,
});
export type AdminShareView = z.infer<typeof AdminShareView>;

export const AdminUserView = z.object({
  account: AdminAccountView,
  billing: SubscriptionStatusResponse.shape.data,
  sessions: z.array(SessionView),
  /** Newest first, at most 100. */
  shares: z.array(AdminShareView),
});
export type AdminUserView = z.infer<typeof AdminUserView>;
export const AdminUserResponse = z.object({ success: z.literal(true), data: AdminUserView });
export type AdminUserResponse = z.infer<typeof AdminUserResponse>;

export const AdminUserPage = z.object({ limit: PageLimit, cursor: Cursor });

export const AdminUserHistoryResponse = z.object({
  success: z.literal(true),
  data: z.array(Transaction),
  cursor: z.string().nullable(),
});
export type AdminUserHistoryResponse = z.infer<typeof AdminUserHistoryResponse>;

export const AdminUserJob = JobView.pick({
  id: true,
  url: true,
  host: true,
  status: true,
  created_at: true,
  score: true,
  not_judged: true,
  access: true,
  action_count: true,
  reason_code: true,
});
export type AdminUserJob = z.infer<typeof AdminUserJob>;
export const AdminUserJobsResponse = z.object({
  success: z.literal(true),
  data: z.array(AdminUserJob),
  cursor: z.string().nullable(),
});
export type AdminUserJobsResponse = z.infer<typeof AdminUserJobsResponse>;

/** Without text or address, as neither is stored. */
export const AdminUserMail = z.object({
  id: z.string(),
  kind: z.string(),
  /** `sending`, `sent`, or the reason it was not sent. */
  outcome: z.string(),
  at: z.string(),
});
export type AdminUserMail = z.infer<typeof AdminUserMail>;
export const AdminUserMailsResponse = z.object({
  success: z.literal(true),
  data: z.array(AdminUserMail),
  cursor: z.string().nullable(),
});
export type AdminUserMailsResponse = z.infer<typeof AdminUserMailsResponse>;

const REASON_MAX = 500;
const AMOUNT = `Please enter a number from 1 to ${MOST_CREDITS.toLocaleString('en')}`;
/** Shown to the user in their history. */
const Reason = z
  .string()
  .trim()
  .min(1, 'Please give a reason')
  .max(REASON_MAX, `A reason may have ${REASON_MAX} characters at most`);

export const GrantCreditsRequest = z.object({
  credits: z.int(AMOUNT).min(1, AMOUNT).max(MOST_CREDITS, AMOUNT),
  reason: Reason,
});
export type GrantCreditsRequest = z.infer<typeof GrantCreditsRequest>;
/** `credits`: the account's new balance. */
export const GrantCreditsResponse = z.object({ success: z.literal(true), credits: z.number().int() });
export type GrantCreditsResponse = z.infer<typeof GrantCreditsResponse>;

export const ResumePlanRequest = z.object({ reason: Reason });
export type ResumePlanRequest = z.infer<typeof ResumePlanRequest>;

export const SignInRequest = z.object({ enabled: z.boolean() });
export const AdminDoneResponse = z.object({ success: z.literal(true), message: z.string() });

/** The account's address, typed in to avoid deleting the wrong account. */
export const DeleteUserRequest = z.object({ email: z.string().min(1, 'Please type the email address').max(254) });
