/**
 * What an export is written to. Nothing stands under its final name before all of it is there: a file grows as `<out>.part`, the parts of a Parquet export
 * stand in a folder `<out>.part`, and both are renamed at the end.
 */
import { closeSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { EXPORT_COLUMNS, type ExportedRow } from './exportedEvent.ts';
import { parquetBytes } from './parquetBytes.ts';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportTarget = {
  /**
   * The size from which a resume goes on when all rows so far are on the disk: bytes of a file, parts of a folder. Null: they are not yet, and a resume has
   * to have them again.
   */
  write(rows: readonly ExportedRow[]): number | null;
  /** Writes the rest, and gives it its name. */
  finish(): void;
  /** What is there stays for a resume. */
  close(): void;
};

export type TargetOptions = {
  readonly out: string;
  /** What an earlier run has left behind that may be relied on. */
  readonly size: number;
  readonly partRows: number;
};

export const partOf = (out: string): string => `${out}.part`;

export function openTarget(format: ExportFormat, options: TargetOptions): ExportTarget {
  return format === 'parquet' ? openFolder(options) : openFile(format, options);
}

const LINES: Readonly<Record<'ndjson' | 'csv', (rows: readonly ExportedRow[]) => string>> = {
  ndjson: (rows) => rows.map(({ data, ...row }) => `${JSON.stringify(row).slice(0, -1)},"data":${data}}\n`).join(''),
  csv: (rows) =>
    // Ids that came with a request are not ours: a spreadsheet is not to take one for a formula.
    stringify(
      rows.map((row) => EXPORT_COLUMNS.map(({ name }) => row[name])),
      { escape_formulas: true },
    ),
};

function openFile(format: 'ndjson' | 'csv', { out, size }: TargetOptions): ExportTarget {
  const part = partOf(out);
  const file = openSync(part, size === 0 ? 'w' : 'r+');
  ftruncateSync(file, size);
  let written = size;
  const append = (text: string): void => {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, written + done);
    written += bytes.length;
  };
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  if (size === 0 && format === 'csv') append(stringify([EXPORT_COLUMNS.map(({ name }) => name)]));
  return {
    write(rows) {
      append(LINES[format](rows));
      fdatasyncSync(file);
      return written;
    },
    finish() {
      fdatasyncSync(file);
      close();
      renameSync(part, out);
    },
    close,
  };
}

/** A part ends early when its data have so many characters: rows may be large, and a part is made in memory. */
const PART_CHARACTERS = 16 * 1024 * 1024;

function openFolder({ out, size, partRows }: TargetOptions): ExportTarget {
  const folder = partOf(out);
  const nameOf = (part: number): string => `part-${String(part).padStart(5, '0')}.parquet`;
  mkdirSync(folder, { recursive: true });
  const kept = new Set(Array.from({ length: size }, (_, index) => nameOf(index + 1)));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
  let parts = size;
  let rows: ExportedRow[] = [];
  let characters = 0;
  const flush = (): void => {
    const path = join(folder, nameOf(parts + 1));
    writeFileSync(`${path}.tmp`, parquetBytes(rows), { flush: true });
    renameSync(`${path}.tmp`, path);
    parts += 1;
    rows = [];
    characters = 0;
  };
  return {
    write(more) {
      for (const row of more) {
        rows.push(row);
        characters += row.data.length;
      }
      if (rows.length < partRows && characters < PART_CHARACTERS) return null;
      flush();
      return parts;
    },
    finish() {
      // Of no events at all there is an empty part, which says what the columns are.
      if (rows.length > 0 || parts === 0) flush();
      renameSync(folder, out);
    },
    close: () => undefined,
  };
}
