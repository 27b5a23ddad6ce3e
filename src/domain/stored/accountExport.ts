/** Stored events of account exports. A file's content is everything about its owner, so it is shown to nobody else. */
import * as z from 'zod';
import type { AccountExportEvent, ExportFileEvent } from '../accountExport/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const ofExport = { userId: id, ask: count, fileId: id };
const OF_EXPORT = ['userId', 'fileId'] as const;

export const ACCOUNT_EXPORT_TYPES = {
  AccountExportRequested: stored(z.strictObject({ ...ofExport, requestedAt: at }), OF_EXPORT),
  AccountExportStarted: stored(z.strictObject({ ...ofExport, attempt: count, startedAt: at }), OF_EXPORT),
  AccountExportProgressed: stored(z.strictObject({ ...ofExport, attempt: count, percent: count, at }), OF_EXPORT),
  AccountExportReady: stored(z.strictObject({ ...ofExport, attempt: count, parts: count, bytes: count, readyAt: at, expiresAt: at }), OF_EXPORT),
  AccountExportFailed: stored(z.strictObject({ ...ofExport, code: z.string(), reason: z.string(), failedAt: at }), OF_EXPORT),
  AccountExportRemoved: stored(z.strictObject({ ...ofExport, reason: z.enum(['expired', 'replaced', 'account_deleted']), removedAt: at }), OF_EXPORT),
} satisfies StoredTypes<AccountExportEvent>;

export const EXPORT_FILE_TYPES = {
  AccountExportPartWritten: stored(z.strictObject({ fileId: id, userId: id, attempt: count, part: count, text: z.string(), writtenAt: at }), OF_EXPORT, {
    secret: ['text'],
  }),
} satisfies StoredTypes<ExportFileEvent>;
