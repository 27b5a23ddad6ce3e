/** A user's account security and email preferences. */
import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';
import { email, password } from './auth.ts';
import { Cursor, PageLimit } from './paging.ts';

export const SessionView = z.object({
  id: z.string(),
  created_at: z.string(),
  /** Accurate to about an hour. */
  last_used_at: z.string(),
  /** 'Firefox on Linux'; null for sessions from older versions. */
  agent: z.string().nullable(),
  /** The network, not the address: '203.0.113.x'. */
  network: z.string().nullable(),
  /** What opened it, before any second factor; null while the list is being brought up to date. */
  logged_in_by: z.enum(['password', 'code', 'recovery_code', 'mail', 'passkey', 'provider']).nullable(),
  /** The id of the single sign-on provider, if it was one. */
  provider: z.string().nullable(),
  /** Whether it is the session making the request. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof SessionView>;

export const SessionsResponse = z.object({ success: z.literal(true), sessions: z.array(SessionView) });
export type SessionsResponse = z.infer<typeof SessionsResponse>;
export const EndSessionResponse = z.object({ success: z.literal(true), message: z.string() });

const present = z.string().min(1, 'Please enter your current password').max(PASSWORD_MAX_LENGTH);
export const ChangePasswordRequest = z.object({ current_password: present, password });
export const ChangePasswordResponse = z.object({ success: z.literal(true), message: z.string() });

/** `password`: absent for an account without one. */
export const ChangeEmailRequest = z.object({ email, password: present.exactOptional() });
/** `pending`: the address changes once the link in the email sent to it is opened. */
export const ChangeEmailResponse = z.object({ success: z.literal(true), email: z.string(), pending: z.boolean() });
export type ChangeEmailResponse = z.infer<typeof ChangeEmailResponse>;

const linkToken = z.string().min(1).max(500);
/** `password`: of the account that the link belongs to; without it, a session of that account is needed. */
export const ConfirmEmailRequest = z.object({
  token: linkToken,
  password: z.string().min(1).max(PASSWORD_MAX_LENGTH).exactOptional(),
});
export const ConfirmEmailResponse = z.object({ success: z.literal(true), message: z.string(), email: z.string() });
export type ConfirmEmailResponse = z.infer<typeof ConfirmEmailResponse>;
/** `sent_to`: null if there is nothing to confirm. */
export const ResendConfirmationResponse = z.object({ success: z.literal(true), sent_to: z.string().nullable() });
export type ResendConfirmationResponse = z.infer<typeof ResendConfirmationResponse>;

/** Absent fields stay as they are. */
export const MailPreferences = z.object({
  job_done: z.boolean().exactOptional(),
  subscription_ends: z.boolean().exactOptional(),
  sequence: z.boolean().exactOptional(),
});
export type MailPreferences = z.infer<typeof MailPreferences>;
export const MailPreferencesResponse = z.object({
  success: z.literal(true),
  data: z.object({ job_done: z.boolean(), subscription_ends: z.boolean(), sequence: z.boolean() }),
});
export type MailPreferencesResponse = z.infer<typeof MailPreferencesResponse>;

/** The token is in the query of an email's link, or in the body. */
export const UnsubscribeQuery = z.object({ token: z.string().max(500).optional() });
export const UnsubscribeRequest = z.object({ token: z.string().max(500).optional() });
export const UnsubscribeResponse = z.object({ success: z.literal(true), message: z.string() });
export type UnsubscribeResponse = z.infer<typeof UnsubscribeResponse>;

export const ActivityQuery = z.object({ limit: PageLimit, cursor: Cursor });

/** Something a user did, or something done to their data. */
export const ActivityView = z.object({
  type: z.string(),
  at: z.string(),
  /** In plain words: 'Shared link revoked'. */
  title: z.string(),
  /** Its subject: 'example.com', 'Firefox on Linux, 203.0.113.x'. */
  detail: z.string().nullable(),
  /** Null if it was automatic, or done before anybody had logged in. */
  by: z.enum(['you', 'api_key', 'admin', 'operator']).nullable(),
});
export type ActivityView = z.infer<typeof ActivityView>;
/** Newest first. */
export const ActivityResponse = z.object({
  success: z.literal(true),
  data: z.array(ActivityView),
  cursor: z.string().nullable(),
});
export type ActivityResponse = z.infer<typeof ActivityResponse>;
