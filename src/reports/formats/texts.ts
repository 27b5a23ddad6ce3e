/** A report as terminal text or Markdown. */
import type { ReportColumn, ReportTable } from '../../model/reports.ts';
import type { ReportResult } from '../run.ts';
import { cellText, isNumber } from './cellText.ts';

/** For a terminal: each column is as wide as its widest cell. */
export function asText(result: ReportResult): string {
  const tables = result.tables.map((table) =>
    [table.title, '', ...linesOf(table), ...(table.note ? ['', table.note] : [])].join('\n'),
  );
  return `${[...headOf(result), ...tables].join('\n\n')}\n`;
}

/** As Markdown, for emails and wikis. */
export function asMarkdown(result: ReportResult): string {
  const [title = '', ...more] = headOf(result);
  const tables = result.tables.map((table) =>
    [`## ${table.title}`, markdownOf(table), ...(table.note ? [table.note] : [])].join('\n\n'),
  );
  return `${[`# ${title}`, ...more, ...tables].join('\n\n')}\n`;
}

function headOf({ title, params: { from, to, by }, asOf, events, note }: ReportResult): readonly string[] {
  const range = from === null && to === null ? 'Of all time' : `From ${from ?? 'the beginning'} to ${to ?? 'the end'}`;
  return [
    title,
    `${range}, by ${by}, as of ${asOf}, from ${events} ${events === 1 ? 'event' : 'events'}. Days are UTC.`,
    ...(note === null ? [] : [note]),
  ];
}

const NOTHING = 'Nothing in this range.';

function linesOf({ columns, rows }: ReportTable): readonly string[] {
  if (rows.length === 0) return [NOTHING];
  const cells = [
    columns.map(({ label }) => label),
    ...rows.map((row) => columns.map((column) => cellText(column, row))),
  ];
  const widths = columns.map((_, nth) => Math.max(...cells.map((line) => line[nth]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, nth) => padded(cell, widths[nth] ?? 0, columns[nth]))
      .join('  ')
      .trimEnd(),
  );
}

const padded = (cell: string, width: number, column: ReportColumn | undefined): string =>
  column && isNumber(column) ? cell.padStart(width) : cell.padEnd(width);

function markdownOf({ columns, rows }: ReportTable): string {
  if (rows.length === 0) return NOTHING;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const head = [
    line(columns.map(({ label }) => label)),
    line(columns.map((column) => (isNumber(column) ? '---:' : '---'))),
  ];
  return [...head, ...rows.map((row) => line(columns.map((column) => cellText(column, row))))].join('\n');
}
