/** Acquisition, retention and revenue figures for admins, from the reports over the log. */
import * as z from 'zod';
import { REPORT_STEPS } from '../../../model/reports.ts';
import { Day, inOrder, OUT_OF_ORDER } from './days.ts';
import { ReportProgress, ReportView } from './reports.ts';

/** UTC days, both inclusive. */
export const AnalyticsQuery = z
  .object({ from: Day, to: Day, by: z.enum(REPORT_STEPS).optional() })
  .refine(inOrder, OUT_OF_ORDER);

/** `progress` is set while a report is still being computed and has no tables yet; ask again later. */
export const AnalyticsSection = ReportView.pick({
  name: true,
  title: true,
  description: true,
  tables: true,
  note: true,
}).extend({
  progress: ReportProgress.nullable(),
});
export type AnalyticsSection = z.infer<typeof AnalyticsSection>;

export const AnalyticsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** UTC ISO: everything up to then is counted. */
    as_of: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    by: z.enum(REPORT_STEPS),
    sections: z.array(AnalyticsSection),
  }),
});
export type AnalyticsResponse = z.infer<typeof AnalyticsResponse>;
