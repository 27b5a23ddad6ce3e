/**
 * Storage format, version with care. Streams: `report-{jobId}`, and `crawl-{jobId}` for the intermediate data of a running job. Deleting the job deletes
 * both permanently; the fact remains, not the content.
 */
import type { Finding } from '../../model/findings.ts';
import type { ReportOverview, ReportPage } from './reportData.ts';

/** Maximum size of one part's text, in UTF-8 bytes: stores reject events over 1 MiB. */
export const MAX_PART_BYTES = 256 * 1024;

/** Rows of one kind. */
export type ReportRows =
  | { readonly kind: 'overview'; readonly rows: readonly ReportOverview[] }
  | { readonly kind: 'findings'; readonly rows: readonly Finding[] }
  | { readonly kind: 'pages'; readonly rows: readonly ReportPage[] };

/** Parts of one file are appended together, in order, with `part` from 0 to `parts - 1`. Writing a file again replaces it. */
export type ReportPartWritten = {
  readonly type: 'ReportPartWritten';
  readonly data: {
    readonly jobId: string;
    readonly userId: string;
    readonly file: string;
    readonly part: number;
    readonly parts: number;
    readonly text: string;
    /** The audit's attempt that wrote it; absent if written after the audit ended, or by earlier versions. */
    readonly attempt?: number;
    readonly writtenAt: string;
  };
};

/**
 * Audit results as rows. Parts of one kind are appended in order, with the overview last, which makes the report complete. Rewriting starts with the
 * first part of the findings, which invalidates everything written before.
 */
export type ReportRowsWritten = {
  readonly type: 'ReportRowsWritten';
  readonly data: {
    readonly jobId: string;
    readonly userId: string;
    readonly part: number;
    readonly parts: number;
    readonly writtenAt: string;
  } & ReportRows;
};

export type ReportEvent = ReportPartWritten | ReportRowsWritten;

/**
 * The owner opened the report for the first time. In its own stream `opened-{jobId}`, so that it never conflicts with writes to the job; erased with the
 * job.
 */
export type ReportOpenedEvent = {
  readonly type: 'ReportOpened';
  readonly data: { readonly jobId: string; readonly userId: string; readonly openedAt: string };
};

/** Intermediate data of a running job (`crawl-{jobId}`), removed when the job has ended. */
export type CrawlEvent = {
  readonly type: 'CrawlPartRecorded';
  readonly data: {
    readonly jobId: string;
    readonly name: string;
    readonly part: number;
    readonly parts: number;
    readonly text: string;
    /** The audit's attempt that wrote it; absent from earlier versions. */
    readonly attempt?: number;
  };
};
