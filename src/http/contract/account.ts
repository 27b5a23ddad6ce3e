import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';
import { ActionView } from './actions.ts';
import { ApiKeyView } from './apiKeys.ts';
import { JobView } from './jobs.ts';
import { LinkView } from './links.ts';
import { PageRecordView } from './pageRecord.ts';
import { ActivityView } from './security.ts';
import { SharedPart, ShareMode } from './share.ts';
import { WebhookView } from './webhooks.ts';

/** The word to type to delete an account. */
export const DELETION_CONFIRMATION = 'DELETE';

/** What a deletion would permanently remove. */
export const AccountDeletionView = z.object({
  jobs: z.number().int(),
  running_jobs: z.number().int(),
  sessions: z.number().int(),
  api_keys: z.number().int(),
  webhooks: z.number().int(),
  /** Shared links, active or not. */
  shares: z.number().int(),
  /** A plan that would end at once, without a refund. */
  subscription: z
    .object({ tier: z.enum(['tier1', 'tier2', 'tier3', 'tier4']), current_period_end: z.string() })
    .nullable(),
  /** Money that would be lost, in the smallest currency unit. */
  funds: z.object({ amount: z.number().int(), currency: z.string() }).nullable(),
  /** Whether it is the installation's last admin. */
  last_admin: z.boolean(),
  confirmation: z.string(),
});
export type AccountDeletionView = z.infer<typeof AccountDeletionView>;
export const AccountDeletionResponse = z.object({ success: z.literal(true), data: AccountDeletionView });
export type AccountDeletionResponse = z.infer<typeof AccountDeletionResponse>;

export const DeleteAccountRequest = z.object({
  /** Absent for an account without one. */
  password: z.string().min(1, 'Please enter your password').max(PASSWORD_MAX_LENGTH).exactOptional(),
  confirmation: z.literal(DELETION_CONFIRMATION, `Please type ${DELETION_CONFIRMATION} to confirm`),
});
export const DeleteAccountResponse = z.object({ success: z.literal(true), message: z.string() });

/** The latest export of an account, as sent on the socket channel `exports`. */
export const AccountExportView = z.object({
  /** The account's. */
  id: z.string(),
  /** Number of exports requested so far; the other fields describe the latest. */
  ask: z.number().int(),
  status: z.enum(['pending', 'ready', 'failed']),
  /** How much of it has been written. */
  percent: z.number().int(),
  requested_at: z.string(),
  /** When it is ready: its file, the size, and until when it can be downloaded. */
  file_id: z.string().nullable(),
  bytes: z.number().int().nullable(),
  expires_at: z.string().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
});
export type AccountExportView = z.infer<typeof AccountExportView>;
/** Null: there was none, or its file is no longer there. */
export const AccountExportStateResponse = z.object({ success: z.literal(true), export: AccountExportView.nullable() });
export type AccountExportStateResponse = z.infer<typeof AccountExportStateResponse>;

/** The rows of an account's export, by part. Token hashes are in none of them. */
export const EXPORTED = {
  sessions: z.object({
    id: z.string(),
    started_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
    client: z.object({ agent: z.string(), network: z.string() }).nullable(),
  }),
  /** Passkeys, and identities at single sign-on providers. */
  ways_to_log_in: z.object({
    kind: z.enum(['passkey', 'identity']),
    id: z.string(),
    /** Of a passkey. */
    name: z.string().nullable(),
    /** Of an identity. */
    provider: z.string().nullable(),
    subject: z.string().nullable(),
    email: z.string().nullable(),
    added_at: z.string(),
    last_used_at: z.string().nullable(),
  }),
  /** As shown on the account page. */
  activity: ActivityView,
  api_keys: ApiKeyView,
  /** The events themselves are the data. */
  billing_events: z.record(z.string(), z.unknown()),
  webhooks: WebhookView,
  shares: z.object({
    id: z.string(),
    job_id: z.string(),
    title: z.string(),
    description: z.string(),
    sharedContent: z.array(SharedPart),
    mode: ShareMode,
    expiresAt: z.string().nullable(),
    createdAt: z.string(),
    revokedAt: z.string().nullable(),
    views: z.number().int(),
    previewViews: z.number().int(),
    signUpClicks: z.number().int(),
    signUps: z.number().int(),
  }),
  sequence_mails: z.object({
    id: z.string(),
    sequence_id: z.string(),
    step_number: z.number().int(),
    status: z.enum(['waiting', 'sent', 'failed', 'skipped', 'stopped']),
    due_at: z.string(),
    settled_at: z.string().nullable(),
  }),
  jobs: JobView.extend({
    /** Contents by name. */
    files: z.record(z.string(), z.string()),
    action_items: z.array(ActionView),
  }),
  /** What is kept of the pages of each job beside its files, with the links on them. */
  pages: z.object({
    job_id: z.string(),
    url: z.string(),
    record: PageRecordView,
    links: z.array(LinkView.omit({ from: true })),
  }),
};

/** An account's export: a file. */
export const AccountExport = z.object({
  format: z.literal('seo-workbench-account'),
  version: z.literal(1),
  exported_at: z.string(),
  /** All but the id is null once the account is deleted. */
  account: z.object({
    id: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    is_admin: z.boolean(),
    mfa_enabled: z.boolean(),
    created_at: z.string().nullable(),
    unwanted_mails: z.array(z.string()),
  }),
  sessions: z.array(EXPORTED.sessions),
  ways_to_log_in: z.array(EXPORTED.ways_to_log_in),
  activity: z.array(EXPORTED.activity),
  api_keys: z.array(EXPORTED.api_keys),
  billing_events: z.array(EXPORTED.billing_events),
  webhooks: z.array(EXPORTED.webhooks),
  shares: z.array(EXPORTED.shares),
  sequence_mails: z.array(EXPORTED.sequence_mails),
  jobs: z.array(EXPORTED.jobs),
  pages: z.array(EXPORTED.pages),
});
export type AccountExport = z.infer<typeof AccountExport>;
