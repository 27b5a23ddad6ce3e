/** The latest export of each account, until its file is removed. */
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

/** One per account, under its id. */
export type AccountExportDocument = {
  readonly userId: string;
  readonly ask: number;
  readonly fileId: string;
  readonly status: 'pending' | 'ready' | 'failed';
  /** Of the account's jobs, as far as they have been written. */
  readonly percent: number;
  readonly requestedAt: string;
  /** Once it is ready. */
  readonly file: {
    readonly attempt: number;
    readonly parts: number;
    readonly bytes: number;
    readonly readyAt: string;
  } | null;
  /** UTC ISO; null unless it is ready. */
  readonly expiresAt: string | null;
  /** Why it failed, as a sentence. */
  readonly failure: string | null;
};

export const accountExports = projection<AccountExportDocument>()({
  name: 'accountExports',
  version: 1,
  indexes: [['userId'], ['expiresAt']],
  // Lets clients that were disconnected learn that the file was removed.
  tombstoneFields: ['userId'],
  keys: ({ data }) => [data.userId],
  on: {
    AccountExportRequested: (_, { data: { userId, ask, fileId, requestedAt } }) => ({
      userId,
      ask,
      fileId,
      status: 'pending',
      percent: 0,
      requestedAt,
      file: null,
      expiresAt: null,
      failure: null,
    }),
    AccountExportStarted: (document) => document && { ...document, percent: 0 },
    AccountExportProgressed: (document, { data }) => document && { ...document, percent: data.percent },
    AccountExportReady: (document, { data: { attempt, parts, bytes, readyAt, expiresAt } }) =>
      document && { ...document, status: 'ready', percent: 100, file: { attempt, parts, bytes, readyAt }, expiresAt },
    AccountExportFailed: (document, { data }) => document && { ...document, status: 'failed', failure: data.reason },
    AccountExportRemoved: () => null,
    AccountDeleted: () => null,
  },
});

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
  const query = { where: { expiresAt: { lte: now } }, sort: [['expiresAt', 'asc']], limit } as const;
  const { documents } = await readModels.find<AccountExportDocument>('accountExports', query);
  return documents.map(({ data }) => data);
}
