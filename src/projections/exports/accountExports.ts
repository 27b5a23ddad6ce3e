/** The latest export of each account, until its file is removed. */
import type { DataOf } from '../../domain/stored/eventOf.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

/** One per account, under its id. */
export type AccountExportDocument = {
  readonly id: string;
  readonly ask: number;
  readonly status: 'pending' | 'ready' | 'failed';
  /** Of the account's jobs, as far as they have been written. */
  readonly percent: number;
  readonly requested_at: string;
  /** Null unless it is ready, like `bytes`, `expires_at` (UTC ISO) and `file`. */
  readonly file_id: string | null;
  readonly bytes: number | null;
  readonly expires_at: string | null;
  /** Why it failed, as a sentence. */
  readonly error: string | null;
  readonly userId: string;
  readonly file: { readonly attempt: number; readonly parts: number; readonly readyAt: string } | null;
};

export const accountExports = projection<AccountExportDocument>()({
  name: 'accountExports',
  version: 2,
  shape: 2,
  indexes: [['userId'], ['expires_at']],
  // Lets clients that were disconnected learn that the file was removed.
  tombstoneFields: ['userId'],
  keys: ({ data }) => [data.userId],
  on: {
    AccountExportRequested: (_, { data }) => newAccountExport(data),
    AccountExportStarted: (document) => document && { ...document, percent: 0 },
    AccountExportProgressed: (document, { data }) => document && { ...document, percent: data.percent },
    AccountExportReady: (document, { data: { fileId, attempt, parts, bytes, readyAt, expiresAt } }) =>
      document && {
        ...document,
        status: 'ready',
        percent: 100,
        file_id: fileId,
        bytes,
        expires_at: expiresAt,
        file: { attempt, parts, readyAt },
      },
    AccountExportFailed: (document, { data }) => document && { ...document, status: 'failed', error: data.reason },
    AccountExportRemoved: () => null,
    AccountDeleted: () => null,
  },
});

type Requested = Pick<DataOf<'AccountExportRequested'>, 'userId' | 'ask' | 'requestedAt'>;

/** As it is when it has just been requested. */
export function newAccountExport({ userId, ask, requestedAt }: Requested): AccountExportDocument {
  return {
    id: userId,
    ask,
    status: 'pending',
    percent: 0,
    requested_at: requestedAt,
    file_id: null,
    bytes: null,
    expires_at: null,
    error: null,
    userId,
    file: null,
  };
}

/** Null once its file can no longer be downloaded. `now`: UTC ISO. */
export function unexpired(document: AccountExportDocument, now: string): AccountExportDocument | null {
  return document.expires_at !== null && document.expires_at <= now ? null : document;
}

/** Null if there was none, or its file was removed. */
export function getAccountExport(
  readModels: ReadModels,
  userId: string,
): Promise<StoredDocument<AccountExportDocument> | null> {
  return readModels.get('accountExports', userId);
}

/** Exports that have expired by then (UTC ISO), oldest first. */
export async function listExpiredExports(
  readModels: ReadModels,
  now: string,
  limit: number,
): Promise<readonly AccountExportDocument[]> {
  const query = { where: { expires_at: { lte: now } }, sort: [['expires_at', 'asc']], limit } as const;
  const { documents } = await readModels.find<AccountExportDocument>('accountExports', query);
  return documents.map(({ data }) => data);
}
