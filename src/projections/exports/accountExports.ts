/** The latest export of each account, until its file is removed. */
import type { AccountEvent } from '../../domain/account/events.ts';
import type { AccountExportEvent } from '../../domain/accountExport/events.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

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
  readonly file: { readonly attempt: number; readonly parts: number; readonly bytes: number; readonly readyAt: string } | null;
  /** UTC ISO; null unless it is ready. */
  readonly expiresAt: string | null;
  /** Why it failed, as a sentence. */
  readonly failure: string | null;
};

type ExportsEvent = AccountExportEvent | Extract<AccountEvent, { readonly type: 'AccountDeleted' }>;

export const accountExports: Projection<AccountExportDocument, ExportsEvent> = {
  name: 'accountExports',
  version: 1,
  indexes: [['userId'], ['expiresAt']],
  // Lets clients that were disconnected learn that the file was removed.
  tombstoneFields: ['userId'],
  handles: [
    ...(['AccountExportRequested', 'AccountExportStarted', 'AccountExportProgressed', 'AccountExportReady', 'AccountExportFailed'] as const),
    ...(['AccountExportRemoved', 'AccountDeleted'] as const),
  ],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    switch (event.type) {
      case 'AccountExportRequested': {
        const { userId, ask, fileId, requestedAt } = event.data;
        return { userId, ask, fileId, status: 'pending', percent: 0, requestedAt, file: null, expiresAt: null, failure: null };
      }
      case 'AccountExportStarted':
        return document && { ...document, percent: 0 };
      case 'AccountExportProgressed':
        return document && { ...document, percent: event.data.percent };
      case 'AccountExportReady': {
        const { attempt, parts, bytes, readyAt, expiresAt } = event.data;
        return document && { ...document, status: 'ready', percent: 100, file: { attempt, parts, bytes, readyAt }, expiresAt };
      }
      case 'AccountExportFailed':
        return document && { ...document, status: 'failed', failure: event.data.reason };
      case 'AccountExportRemoved':
      case 'AccountDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

/** Null if there was none, or its file was removed. */
export function getAccountExport(readModels: ReadModels, userId: string): Promise<StoredDocument<AccountExportDocument> | null> {
  return readModels.get('accountExports', userId);
}

/** Exports that have expired by then (UTC ISO), oldest first. */
export async function listExpiredExports(readModels: ReadModels, now: string, limit: number): Promise<readonly AccountExportDocument[]> {
  const query = { where: { expiresAt: { lte: now } }, sort: [['expiresAt', 'asc']], limit } as const;
  const { documents } = await readModels.find<AccountExportDocument>('accountExports', query);
  return documents.map(({ data }) => data);
}
