/** Rows as a Parquet file, with typed times and integers. */
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { type ColumnKind, EXPORT_COLUMNS, type ExportedRow } from './exportedEvent.ts';

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>;
type SchemaColumn = Schema[number];

/** Rows converted to columns at once; each value is a separate allocation while that happens. */
const GROUP_ROWS = 5_000;

/** Times are UTC without a time zone, so that tools do not convert them to local time. */
const TYPES: Readonly<Record<ColumnKind, Omit<SchemaColumn, 'name' | 'repetition_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT64' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'JSON' } },
};

const SCHEMA: Schema = [
  { name: 'root', num_children: EXPORT_COLUMNS.length },
  ...EXPORT_COLUMNS.map(
    ({ name, kind, nullable }): SchemaColumn => ({
      name,
      repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
      ...TYPES[kind],
    }),
  ),
];

export function parquetBytes(rows: readonly ExportedRow[]): Uint8Array {
  const columnData = EXPORT_COLUMNS.map((column) => columnOf(column, rows));
  return new Uint8Array(parquetWriteBuffer({ schema: SCHEMA, columnData, rowGroupSize: GROUP_ROWS }));
}

function columnOf({ name, kind }: (typeof EXPORT_COLUMNS)[number], rows: readonly ExportedRow[]): ColumnSource {
  const values = rows.map((row) => row[name]);
  if (kind === 'whole') return { name, data: values.map((value) => BigInt(value as string | number)) };
  if (kind === 'time')
    return { name, data: values.map((value) => (value === null ? null : new Date(value as string))) };
  // All values differ, so building a dictionary would be wasted effort.
  return kind === 'json' ? { name, data: values, encoding: 'PLAIN', statistics: false } : { name, data: values };
}
