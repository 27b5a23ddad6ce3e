/** Exports a table of figures for spreadsheets: the same from a terminal, a page and the API. */
import { decimalText } from './money.ts';
import type { ReportColumn, ReportColumnKind, ReportRow, ReportTable } from './reports.ts';

type Columns = Pick<ReportTable, 'columns'>['columns'];

/**
 * Values are meant for calculation, not for reading: money in whole units of its currency, costs in US dollars, shares
 * as 0 to 1, durations in seconds. Always contains the whole table, even if a page shows only part of it.
 */
export const reportCsv = ({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): string =>
  csvHead(columns) + csvLines(columns, rows);

/** The first line; the others can follow a part at a time. */
export const csvHead = (columns: Columns): string =>
  lineOf([...columns.map(headOf), ...(lacksCurrency(columns) ? ['Currency'] : [])]);

/** The lines of these rows. */
export function csvLines(columns: Columns, rows: readonly ReportRow[]): string {
  const ofMoney = lacksCurrency(columns);
  return rows
    .map((row) =>
      lineOf([...columns.map((column) => cellOf(column, row)), ...(ofMoney ? [text(row.currency ?? null)] : [])]),
    )
    .join('');
}

const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
const lacksCurrency = (columns: Columns): boolean =>
  columns.some(({ kind }) => kind === 'money') && !columns.some(({ key }) => key === 'currency');

const UNITS: Readonly<Partial<Record<ReportColumnKind, string>>> = { duration: 'seconds', cost: 'USD' };

function headOf({ label, kind }: ReportColumn): string {
  const unit = UNITS[kind];
  return text(unit === undefined ? label : `${label} (${unit})`);
}

function cellOf({ key, kind }: ReportColumn, row: ReportRow): string {
  const value = row[key] ?? null;
  if (typeof value !== 'number') return text(value);
  if (kind === 'money')
    return decimalText({ amount: value, currency: typeof row.currency === 'string' ? row.currency : 'usd' });
  return String(kind === 'duration' ? value / 1000 : kind === 'cost' ? value / 1_000_000 : value);
}

/** A spreadsheet would interpret such a value as a formula, even after leading whitespace. */
const FORMULA = /^\s*[=+\-@]|^[\t\r]/;

function text(value: string | number | null): string {
  if (value === null) return '';
  const plain = String(value);
  const safe = typeof value === 'string' && FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
