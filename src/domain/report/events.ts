/**
 * Storage format, version with care. Stream: `report-{jobId}`, and `crawl-{jobId}` for what later steps of a running job need.
 * Deleting the job deletes both for good; what remains is the fact, not the content.
 */
import type { Finding } from '../../model/findings.ts';
import type { ReportOverview, ReportPage } from './reportData.ts';

/** Largest text of one part, in UTF-8 bytes: stores refuse events over 1 MiB. */
export const MAX_PART_BYTES = 256 * 1024;

/** Rows of what was found, of one kind. */
export type ReportRows =
  | { readonly kind: 'overview'; readonly rows: readonly ReportOverview[] }
  | { readonly kind: 'findings'; readonly rows: readonly Finding[] }
  | { readonly kind: 'pages'; readonly rows: readonly ReportPage[] };

/** Parts of one file are appended together, in order, `part` from 0 to `parts - 1`. Writing a file again replaces it. */
export type ReportPartWritten = {
  readonly type: 'ReportPartWritten';
  readonly data: {
    readonly jobId: string;
    readonly userId: string;
    readonly file: string;
    readonly part: number;
    readonly parts: number;
    readonly text: string;
    /** The try of the audit that wrote it; absent in what was written after its end, and by earlier versions. */
    readonly attempt?: number;
    readonly writtenAt: string;
  };
};

/**
 * What was found, as rows. Parts of one kind are appended in order, the overview last: with it all is there. Writing it anew begins with the first
 * part of the findings, which makes void what was written before.
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

/** Its owner looked at what was found, for the first time. Alone in `opened-{jobId}`, so that nobody who writes to the job meets it; erased with the job. */
export type ReportOpenedEvent = {
  readonly type: 'ReportOpened';
  readonly data: { readonly jobId: string; readonly userId: string; readonly openedAt: string };
};

/** Working data of a running job (`crawl-{jobId}`), removed when the job has ended. */
export type CrawlEvent = {
  readonly type: 'CrawlPartRecorded';
  readonly data: {
    readonly jobId: string;
    readonly name: string;
    readonly part: number;
    readonly parts: number;
    readonly text: string;
    /** The try of the audit that left it; absent in what earlier versions wrote. */
    readonly attempt?: number;
  };
};
