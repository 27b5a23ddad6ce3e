import { cohorts } from '../../../reports/cohorts.ts';
import { completion } from '../../../reports/completion.ts';
import { funnel } from '../../../reports/funnel.ts';
import { logins } from '../../../reports/logins.ts';
import { previews } from '../../../reports/previews.ts';
import { quality } from '../../../reports/quality.ts';
import type { AnyReport } from '../../../reports/report.ts';
import { revenue } from '../../../reports/revenue.ts';
import { resultOf } from '../../../reports/run.ts';
import { AnalyticsQuery, AnalyticsResponse, type AnalyticsSection } from '../../contract/admin/analytics.ts';
import { presentSection, presentUnfinished } from '../../present/admin/analytics.ts';
import { route } from '../../routing/route.ts';

/** In page order, with the tables to show; null for all. */
const SECTIONS: readonly (readonly [AnyReport, readonly string[] | null])[] = [
  [funnel, null],
  [logins, null],
  [cohorts, null],
  [previews, null],
  [completion, null],
  [quality, ['by-check']],
  [revenue, ['over-time', 'by-plan', 'by-plan-over-time']],
];
/** Maximum wait per section; in total, less than the request timeout. */
const SECONDS_EACH = 3;

export const getAnalytics = route({
  method: 'GET',
  path: '/admin/analytics',
  access: 'admin',
  summary: 'Get how users arrive, stay and pay: funnel, log-ins, cohorts, shared links, action items and revenue',
  limit: 'report',
  query: AnalyticsQuery,
  response: AnalyticsResponse,
  handler: async ({ deps, query, signal }) => {
    const { from = null, to = null, by = 'week' } = query;
    const asOf = deps.now();
    const sections: AnalyticsSection[] = [];
    // Sequentially: in parallel, each would wait for all.
    for (const [report, tables] of SECTIONS) {
      const ran = await deps.reportRuns.run({ report, until: null, signal, wait: SECONDS_EACH, keyId: undefined });
      sections.push(
        'progress' in ran
          ? presentUnfinished(report, ran.progress)
          : presentSection(resultOf(ran.folded, { from, to, by }, asOf), tables),
      );
    }
    return { success: true as const, data: { as_of: asOf, from, to, by, sections } };
  },
});
