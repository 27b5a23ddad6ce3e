/**
 * Storage format, version with care. Streams: `exports-{userId}`, the exports that an account requested;
 * `export-file-{fileId}`, the content of one.
 */
import * as z from 'zod';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const exportsStream = (userId: string): string => `exports-${userId}`;
export const exportFileStream = (fileId: string): string => `export-file-${fileId}`;

/** `ask` counts the account's exports. Each has a file of its own. */
const ofExport = { userId: id, ask: count, fileId: id };

const removalReason = z.enum(['expired', 'replaced', 'account_deleted']);
export type RemovalReason = Infer<typeof removalReason>;

export const ACCOUNT_EXPORT_EVENTS = {
  AccountExportRequested: z.strictObject({ ...ofExport, requestedAt: at }),
  /** Once per attempt. */
  AccountExportStarted: z.strictObject({ ...ofExport, attempt: count, startedAt: at }),
  /** From time to time: the share of the account's jobs that has been written. */
  AccountExportProgressed: z.strictObject({ ...ofExport, attempt: count, percent: count, at }),
  /** `parts`: of the file, as written by this attempt. `bytes`: its size when downloaded. */
  AccountExportReady: z.strictObject({
    ...ofExport,
    attempt: count,
    parts: count,
    bytes: count,
    readyAt: at,
    expiresAt: at,
  }),
  /** `reason` is shown to the owner. The file's stream is deleted. */
  AccountExportFailed: z.strictObject({ ...ofExport, code: z.string(), reason: z.string(), failedAt: at }),
  /** The file's stream is deleted. */
  AccountExportRemoved: z.strictObject({ ...ofExport, reason: removalReason, removedAt: at }),
};
export type AccountExportEvent = EventIn<typeof ACCOUNT_EXPORT_EVENTS>;

export const EXPORT_FILE_EVENTS = {
  AccountExportPartWritten: z.strictObject({
    fileId: id,
    userId: id,
    /** Parts of attempts that did not finish stay in the stream, and are skipped. */
    attempt: count,
    /** From 0. */
    part: count,
    /** Compressed, base64. */
    text: z.string(),
    writtenAt: at,
  }),
};
export type ExportFileEvent = EventIn<typeof EXPORT_FILE_EVENTS>;
