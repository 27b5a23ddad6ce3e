/** How people come, stay and pay: figures for the admins, out of the reports over the log. */
import { z } from 'zod';
import { REPORT_STEPS } from '../../../model/reports.ts';
import { components } from '../components.ts';
import { Day, inOrder, OUT_OF_ORDER } from './days.ts';
import { ReportProgress, ReportView } from './reports.ts';

/** UTC days, both inclusive. */
export const AnalyticsQuery = z.strictObject({ from: Day, to: Day, by: z.enum(REPORT_STEPS).optional() }).refine(inOrder, OUT_OF_ORDER);

/** Of a report that is still being read, there are no tables yet: who asks again finds it further. */
export const AnalyticsSection = ReportView.pick({ name: true, title: true, description: true, tables: true, note: true }).extend({
  progress: ReportProgress.nullable(),
});
export type AnalyticsSection = z.infer<typeof AnalyticsSection>;

export const AnalyticsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** UTC ISO: what happened until then is counted. */
    as_of: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    by: z.enum(REPORT_STEPS),
    sections: z.array(AnalyticsSection),
  }),
});
export type AnalyticsResponse = z.infer<typeof AnalyticsResponse>;

components({ AnalyticsSection, AnalyticsResponse });
