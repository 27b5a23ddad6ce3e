/**
 * Storage format, version with care. Stream: `report-{jobId}`, and `crawl-{jobId}` for what later steps of a running job need.
 * Deleting the job deletes both for good; what remains is the fact, not the content.
 */

/** Largest text of one part, in UTF-8 bytes: stores refuse events over 1 MiB. */
export const MAX_PART_BYTES = 256 * 1024;

export type ReportEvent =
  /** Parts of one file are appended together, in order, `part` from 0 to `parts - 1`. Writing a file again replaces it. */
  {
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
