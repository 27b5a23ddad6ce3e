/** Output formats of a report. */
import { reportCsv } from '../../model/reportCsv.ts';
import type { ReportTable } from '../../model/reports.ts';
import type { ReportResult } from '../run.ts';
import { asMarkdown, asText } from './texts.ts';

export const REPORT_FORMATS = ['table', 'csv', 'json', 'md', 'parquet'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Formats that hold a single table. */
export const holdsOneTable = (format: ReportFormat): boolean => format === 'csv' || format === 'parquet';

/** `table`: what to write in single-table formats; the others write all of `result`. */
export async function formatted(
  format: ReportFormat,
  result: ReportResult,
  table: ReportTable,
): Promise<string | Uint8Array> {
  switch (format) {
    case 'table':
      return asText(result);
    case 'md':
      return asMarkdown(result);
    case 'csv':
      return reportCsv(table);
    case 'json':
      return `${JSON.stringify(result, null, 2)}\n`;
    case 'parquet':
      return (await import('./parquet.ts')).asParquet(table);
    default:
      format satisfies never;
      return '';
  }
}
