/** The latest export of an account, as sent to its owner. */
import type { AccountExportDocument } from '../../projections/exports/accountExports.ts';
import type { AccountExportView } from '../contract/account.ts';

/** `now`: UTC ISO. Null once its file can no longer be downloaded. */
export function presentAccountExport(document: AccountExportDocument, now: string): AccountExportView | null {
  const { userId, ask, fileId, status, percent, requestedAt, file, expiresAt, failure } = document;
  if (expiresAt !== null && expiresAt <= now) return null;
  return {
    id: userId,
    ask,
    status,
    percent,
    requested_at: requestedAt,
    file_id: file && fileId,
    bytes: file?.bytes ?? null,
    expires_at: expiresAt,
    error: failure,
  };
}
