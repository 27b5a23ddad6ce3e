/** Reports over the whole log: for admins, and for analysts with a dedicated key. */
import * as z from 'zod';
import { REPORT_STEPS } from '../../../model/reports.ts';
import { Day, inOrder, OUT_OF_ORDER } from './days.ts';

export const ReportSummary = z.object({ name: z.string(), title: z.string(), description: z.string() });
export type ReportSummary = z.infer<typeof ReportSummary>;

export const ReportsResponse = z.object({ success: z.literal(true), data: z.array(ReportSummary) });
export type ReportsResponse = z.infer<typeof ReportsResponse>;

/** Maximum wait for a response, in seconds. */
export const REPORT_WAIT_MAX = 25;

export const ReportQuery = z
  .object({
    /** A day (meaning its end), a UTC time or a log position. */
    as_of: z.string().max(40).optional(),
    /** UTC days, both inclusive. */
    from: Day,
    to: Day,
    by: z.enum(REPORT_STEPS).optional(),
    format: z.enum(['json', 'csv']).optional(),
    /** For CSV: the table to return; default the first. */
    table: z.string().max(100).optional(),
    /**
     * Seconds after which to answer with the progress so far; repeating the request continues from there. Without it, a
     * report that takes too long is an error.
     */
    wait: z.coerce
      .number()
      .int()
      .min(1, `It must be from 1 to ${REPORT_WAIT_MAX}`)
      .max(REPORT_WAIT_MAX, `It must be from 1 to ${REPORT_WAIT_MAX}`)
      .optional(),
  })
  .refine(inOrder, OUT_OF_ORDER);

export const ReportTableView = z.object({
  name: z.string().min(1),
  title: z.string(),
  columns: z.array(
    z.object({
      key: z.string().min(1),
      label: z.string(),
      kind: z.enum(['text', 'date', 'count', 'number', 'money', 'cost', 'share', 'duration']),
    }),
  ),
  /** Money is an integer in the smallest unit of the row's `currency`; a cost is in millionths of a US dollar. */
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  note: z.string().exactOptional(),
  chart: z.object({ kind: z.enum(['line', 'bar']), x: z.string(), series: z.array(z.string()) }).exactOptional(),
});

export const ReportView = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  params: z.object({ from: z.string().nullable(), to: z.string().nullable(), by: z.enum(REPORT_STEPS) }),
  /** UTC ISO: everything up to then is included. */
  as_of: z.string(),
  /** Number of events it was built from. */
  events: z.number().int(),
  tables: z.array(ReportTableView),
  note: z.string().nullable(),
});
export type ReportView = z.infer<typeof ReportView>;

export const ReportProgress = z.object({
  /** 0 to 1. */
  done: z.number(),
  /** Estimated at the current pace; null while there is no estimate yet. */
  seconds_left: z.number().int().nullable(),
});
export type ReportProgress = z.infer<typeof ReportProgress>;

/** Either `data` or, with `wait`, the progress. */
export const ReportResponse = z.object({
  success: z.literal(true),
  data: ReportView.nullable(),
  progress: ReportProgress.nullable(),
});
export type ReportResponse = z.infer<typeof ReportResponse>;
