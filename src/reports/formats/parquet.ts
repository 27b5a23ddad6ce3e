/** One table of a report as a Parquet file. */
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { ReportColumn, ReportColumnKind, ReportRow, ReportTable } from '../../model/reports.ts';

const TYPES: Readonly<Record<ReportColumnKind, 'STRING' | 'INT64' | 'DOUBLE'>> = {
  text: 'STRING',
  date: 'STRING',
  count: 'INT64',
  money: 'INT64',
  cost: 'INT64',
  number: 'DOUBLE',
  share: 'DOUBLE',
  duration: 'DOUBLE',
};

const CURRENCY: ReportColumn = { key: 'currency', label: 'Currency', kind: 'text' };

/**
 * Columns are named by their keys and values are raw: money in the smallest unit of the column `currency`, costs in
 * millionths of a US dollar, durations in milliseconds.
 */
export function asParquet({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): Uint8Array {
  const ofMoney = columns.some(({ kind }) => kind === 'money') && !columns.some(({ key }) => key === 'currency');
  const columnData = [...columns, ...(ofMoney ? [CURRENCY] : [])].map((column) => columnOf(column, rows));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function columnOf({ key, kind }: ReportColumn, rows: readonly ReportRow[]): ColumnSource {
  const type = TYPES[kind];
  const data = rows.map((row) => {
    const value = row[key] ?? null;
    return type === 'INT64' && typeof value === 'number' ? BigInt(Math.round(value)) : value;
  });
  return { name: key, data, type, nullable: true };
}
