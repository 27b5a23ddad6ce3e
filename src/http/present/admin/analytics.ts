import type { AnyReport } from '../../../reports/report.ts';
import type { ReportResult, RunProgress } from '../../../reports/run.ts';
import type { AnalyticsSection } from '../../contract/admin/analytics.ts';
import { presentReport } from './report.ts';

/** `shown`: names of the tables to show here; null for all. */
export function presentSection(result: ReportResult, shown: readonly string[] | null): AnalyticsSection {
  const { name, title, description, tables, note } = presentReport(result);
  return {
    name,
    title,
    description,
    note,
    tables: tables.filter((table) => shown === null || shown.includes(table.name)),
    progress: null,
  };
}

/** For a report still being computed. */
export function presentUnfinished(
  { name, title, description }: AnyReport,
  { done, secondsLeft }: RunProgress,
): AnalyticsSection {
  return { name, title, description, note: null, tables: [], progress: { done, seconds_left: secondsLeft } };
}
