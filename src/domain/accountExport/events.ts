/** Storage format, version with care. Streams: `exports-{userId}`, the exports that an account requested; `export-file-{fileId}`, the content of one. */

/** `ask` counts the account's exports. Each has a file of its own. */
type Export = { readonly userId: string; readonly ask: number; readonly fileId: string };

export type RemovalReason = 'expired' | 'replaced' | 'account_deleted';

export type AccountExportEvent =
  | { readonly type: 'AccountExportRequested'; readonly data: Export & { readonly requestedAt: string } }
  /** Once per attempt. */
  | { readonly type: 'AccountExportStarted'; readonly data: Export & { readonly attempt: number; readonly startedAt: string } }
  /** From time to time: the share of the account's jobs that has been written. */
  | { readonly type: 'AccountExportProgressed'; readonly data: Export & { readonly attempt: number; readonly percent: number; readonly at: string } }
  /** `parts`: of the file, as written by this attempt. `bytes`: its size when downloaded. */
  | {
      readonly type: 'AccountExportReady';
      readonly data: Export & {
        readonly attempt: number;
        readonly parts: number;
        readonly bytes: number;
        readonly readyAt: string;
        readonly expiresAt: string;
      };
    }
  /** `reason` is shown to the owner. The file's stream is deleted. */
  | { readonly type: 'AccountExportFailed'; readonly data: Export & { readonly code: string; readonly reason: string; readonly failedAt: string } }
  /** The file's stream is deleted. */
  | { readonly type: 'AccountExportRemoved'; readonly data: Export & { readonly reason: RemovalReason; readonly removedAt: string } };

export type ExportFileEvent = {
  readonly type: 'AccountExportPartWritten';
  readonly data: {
    readonly fileId: string;
    readonly userId: string;
    /** Parts of attempts that did not finish stay in the stream, and are skipped. */
    readonly attempt: number;
    /** From 0. */
    readonly part: number;
    /** Compressed, base64. */
    readonly text: string;
    readonly writtenAt: string;
  };
};
