/**
 * Storage format, version with care. Streams: `report-{jobId}`, `page-records-{jobId}`, and `crawl-{jobId}` for the
 * intermediate data of a running job. Deleting the job deletes them permanently; the fact remains, not the content.
 */
import * as z from 'zod';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';
import { REPORT_ROWS } from './reportRows.ts';

export const reportStream = (jobId: string): string => `report-${jobId}`;
/** What is kept of each page, and the links. */
export const pageRecordsStream = (jobId: string): string => `page-records-${jobId}`;
/** Intermediate data of a running job. */
export const crawlStream = (jobId: string): string => `crawl-${jobId}`;
/** Records that the report was opened. */
export const openedStream = (jobId: string): string => `opened-${jobId}`;

/** Maximum size of one part's text, in UTF-8 bytes: stores reject events over 1 MiB. */
export const MAX_PART_BYTES = 256 * 1024;

const ofReport = { jobId: id, userId: id, part: count, parts: count, writtenAt: at };

const rows = {
  overview: { kind: z.literal('overview'), rows: REPORT_ROWS.overview },
  findings: { kind: z.literal('findings'), rows: REPORT_ROWS.findings },
  pages: { kind: z.literal('pages'), rows: REPORT_ROWS.pages },
};
const rowsSchema = z.discriminatedUnion('kind', [
  z.strictObject(rows.overview),
  z.strictObject(rows.findings),
  z.strictObject(rows.pages),
]);
/** Rows of one kind. */
export type ReportRows = Infer<typeof rowsSchema>;

export const REPORT_EVENTS = {
  /**
   * Parts of one file are appended together, in order, with `part` from 0 to `parts - 1`. Writing a file again replaces
   * it.
   */
  ReportPartWritten: z.strictObject({
    ...ofReport,
    file: id,
    text: z.string(),
    /** The audit's attempt that wrote it; absent if written after the audit ended, or by earlier versions. */
    attempt: count.exactOptional(),
  }),
  /**
   * Audit results as rows. Parts of one kind are appended in order, with the overview last, which makes the report
   * complete. Rewriting starts with the first part of the findings, which invalidates everything written before.
   */
  ReportRowsWritten: z.discriminatedUnion('kind', [
    z.strictObject({ ...ofReport, ...rows.overview }),
    z.strictObject({ ...ofReport, ...rows.findings }),
    z.strictObject({ ...ofReport, ...rows.pages }),
  ]),
};
export type ReportEvent = EventIn<typeof REPORT_EVENTS>;
export type ReportPartWritten = Extract<ReportEvent, { readonly type: 'ReportPartWritten' }>;
export type ReportRowsWritten = Extract<ReportEvent, { readonly type: 'ReportRowsWritten' }>;

export const PAGE_RECORD_KINDS = ['pages', 'links'] as const;

export const PAGE_RECORD_EVENTS = {
  /**
   * Records of pages (`PageRecord`) or runs of links (`LinkColumns`), both in `src/model/pageRecords.ts`. Parts of one
   * kind are appended in order; the first one replaces what was written of that kind before.
   */
  PageRecordsWritten: z.strictObject({
    ...ofReport,
    kind: z.enum(PAGE_RECORD_KINDS),
    /** Of this part: pages, in the order of the pages' rows, or links. */
    rows: count,
    /** A JSON list, compressed (gzip), in base64. */
    text: z.string(),
  }),
  /** Newer audits of the site have theirs. Everything before it is erased. */
  PageRecordsRemoved: z.strictObject({ jobId: id, userId: id, removedAt: at }),
};
export type PageRecordEvent = EventIn<typeof PAGE_RECORD_EVENTS>;
export type PageRecordsWritten = Extract<PageRecordEvent, { readonly type: 'PageRecordsWritten' }>;

export const REPORT_OPENED_EVENTS = {
  /**
   * The owner opened the report for the first time. In its own stream `opened-{jobId}`, so that it never conflicts with
   * writes to the job; erased with the job.
   */
  ReportOpened: z.strictObject({ jobId: id, userId: id, openedAt: at }),
};
export type ReportOpenedEvent = EventIn<typeof REPORT_OPENED_EVENTS>;

export const CRAWL_EVENTS = {
  /** Intermediate data of a running job, removed when the job has ended. */
  CrawlPartRecorded: z.strictObject({
    jobId: id,
    name: id,
    part: count,
    parts: count,
    text: z.string(),
    /** The audit's attempt that wrote it; absent from earlier versions. */
    attempt: count.exactOptional(),
  }),
};
export type CrawlEvent = EventIn<typeof CRAWL_EVENTS>;
