import type { ReportResult } from '../../../reports/run.ts';
import type { ReportView } from '../../contract/admin/reports.ts';

export function presentReport({
  name,
  title,
  description,
  params: { from, to, by },
  asOf,
  events,
  tables,
  note,
}: ReportResult): ReportView {
  return {
    name,
    title,
    description,
    params: { from, to, by },
    as_of: asOf,
    events,
    note,
    tables: tables.map(({ columns, rows, chart, ...table }) => ({
      ...table,
      columns: [...columns],
      rows: rows.map((row) => ({ ...row })),
      ...(chart ? { chart: { ...chart, series: [...chart.series] } } : {}),
    })),
  };
}
