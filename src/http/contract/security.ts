/** What a user sees and does about the security of the own account, and which mails they want. */
import { z } from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';
import { email, password } from './auth.ts';
import { Cursor, PageLimit } from './paging.ts';

export const SessionView = z.object({
  id: z.string(),
  created_at: z.string(),
  /** As exact as about an hour. */
  last_used_at: z.string(),
  /** 'Firefox on Linux'; null for sessions of older versions. */
  agent: z.string().nullable(),
  /** The network, not the address: '203.0.113.x'. */
  network: z.string().nullable(),
  /** The one that asks. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof SessionView>;

export const SessionsResponse = z.object({ success: z.literal(true), sessions: z.array(SessionView) });
export type SessionsResponse = z.infer<typeof SessionsResponse>;
export const EndSessionResponse = z.object({ success: z.literal(true), message: z.string() });

const present = z.string().min(1, 'Please enter your current password').max(PASSWORD_MAX_LENGTH);
export const ChangePasswordRequest = z.strictObject({ current_password: present, password });
export const ChangePasswordResponse = z.object({ success: z.literal(true), message: z.string() });

export const ChangeEmailRequest = z.strictObject({ email, password: present });
/** `pending`: it changes once the link in the mail to it is opened. */
export const ChangeEmailResponse = z.object({ success: z.literal(true), email: z.string(), pending: z.boolean() });
export type ChangeEmailResponse = z.infer<typeof ChangeEmailResponse>;

export const ConfirmEmailRequest = z.strictObject({ token: z.string().min(1).max(500) });
export const ConfirmEmailResponse = z.object({ success: z.literal(true), message: z.string(), email: z.string() });
export type ConfirmEmailResponse = z.infer<typeof ConfirmEmailResponse>;
/** `sent_to`: null when there is nothing to confirm. */
export const ResendConfirmationResponse = z.object({ success: z.literal(true), sent_to: z.string().nullable() });
export type ResendConfirmationResponse = z.infer<typeof ResendConfirmationResponse>;

/** What is not named stays as it is. */
export const MailPreferences = z.strictObject({
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

/** The token stands in the query of a mail's link, or in the body. */
export const UnsubscribeQuery = z.object({ token: z.string().max(500).optional() });
export const UnsubscribeRequest = z.object({ token: z.string().max(500).optional() });
export const UnsubscribeResponse = z.object({ success: z.literal(true), message: z.string() });
export type UnsubscribeResponse = z.infer<typeof UnsubscribeResponse>;

export const ActivityQuery = z.strictObject({ limit: PageLimit, cursor: Cursor });

/** Something that a user did, or that was done to what is theirs. */
export const ActivityView = z.object({
  type: z.string(),
  at: z.string(),
  /** In plain words: 'Shared link revoked'. */
  title: z.string(),
  /** What of: 'example.com', 'Firefox on Linux, 203.0.113.x'. */
  detail: z.string().nullable(),
  /** Null: it came about by itself, or before anybody had signed in. */
  by: z.enum(['you', 'api_key', 'admin', 'operator']).nullable(),
});
export type ActivityView = z.infer<typeof ActivityView>;
/** The newest first. */
export const ActivityResponse = z.object({ success: z.literal(true), data: z.array(ActivityView), cursor: z.string().nullable() });
export type ActivityResponse = z.infer<typeof ActivityResponse>;
