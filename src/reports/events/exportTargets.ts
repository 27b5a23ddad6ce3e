/**
 * Where an export is written. Nothing gets its final name until it is complete: a file grows as `<out>.part`, the parts
 * of a Parquet export go to a folder `<out>.part`, and both are renamed at the end.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { EXPORT_COLUMNS, type ExportedRow, ndjsonLine } from './exportedEvent.ts';
import { parquetBytes } from './parquetBytes.ts';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportTarget = {
  /**
   * The size to resume from once all rows so far are on disk: bytes of a file, parts of a folder. Null if some rows are
   * not on disk yet, so a resumed export must write them again.
   */
  write(rows: readonly ExportedRow[]): number | null;
  /** Writes the remaining rows and renames the target to its final name. */
  finish(): void;
  /** Leaves what has been written for a later resume. */
  close(): void;
};

export type TargetOptions = {
  readonly out: string;
  /** Size of what an earlier run wrote reliably. */
  readonly size: number;
  readonly partRows: number;
};

export const partOf = (out: string): string => `${out}.part`;

export function openTarget(format: ExportFormat, options: TargetOptions): ExportTarget {
  return format === 'parquet' ? openFolder(options) : openFile(format, options);
}

const LINES: Readonly<Record<'ndjson' | 'csv', (rows: readonly ExportedRow[]) => string>> = {
  ndjson: (rows) => rows.map(ndjsonLine).join(''),
  csv: (rows) =>
    // Ids from requests are untrusted: keep spreadsheets from treating them as formulas.
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

/** A part also ends at this many characters of data: rows may be large, and a part is built in memory. */
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
      // With no events at all, an empty part still defines the columns.
      if (rows.length > 0 || parts === 0) flush();
      renameSync(folder, out);
    },
    close: () => undefined,
  };
}
