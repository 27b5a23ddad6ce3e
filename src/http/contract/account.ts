import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';

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
  subscription: z.object({ tier: z.enum(['tier1', 'tier2', 'tier3', 'tier4']), current_period_end: z.string() }).nullable(),
  /** Money that would be lost, in the smallest currency unit. */
  funds: z.object({ amount: z.number().int(), currency: z.string() }).nullable(),
  /** Whether it is the installation's last admin. */
  last_admin: z.boolean(),
  confirmation: z.string(),
});
export type AccountDeletionView = z.infer<typeof AccountDeletionView>;
export const AccountDeletionResponse = z.object({ success: z.literal(true), data: AccountDeletionView });
export type AccountDeletionResponse = z.infer<typeof AccountDeletionResponse>;

export const DeleteAccountRequest = z.strictObject({
  password: z.string().min(1, 'Please enter your password').max(PASSWORD_MAX_LENGTH),
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

/** A file of its own; its parts are described where they are otherwise returned. */
export const AccountExport = z.object({
  format: z.literal('seo-workbench-account'),
  version: z.literal(1),
  exported_at: z.string(),
  account: z.record(z.string(), z.unknown()),
  sessions: z.array(z.record(z.string(), z.unknown())),
  activity: z.array(z.record(z.string(), z.unknown())),
  api_keys: z.array(z.record(z.string(), z.unknown())),
  billing_events: z.array(z.record(z.string(), z.unknown())),
  webhooks: z.array(z.record(z.string(), z.unknown())),
  shares: z.array(z.record(z.string(), z.unknown())),
  jobs: z.array(z.record(z.string(), z.unknown())),
});
