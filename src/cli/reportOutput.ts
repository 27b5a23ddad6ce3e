/** Where reports are written: the terminal, a file, or a folder for several reports. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ReportTableView } from '../http/contract/admin/reports.ts';
import type { ReportTable } from '../model/reports.ts';
import { formatted, holdsOneTable, type ReportFormat } from '../reports/formats/formats.ts';
import type { ReportResult } from '../reports/run.ts';
import { BadInput } from './logAt.ts';

/** `table`: for csv and parquet. `out`: a file, or a folder for several reports. */
export type Target = { readonly format: ReportFormat; readonly table?: string; readonly out?: string };

/** Checked before anything is read. @throws BadInput */
export function checkTarget(reports: number, { format, table, out }: Target): void {
  if (format === 'parquet' && out === undefined && process.stdout.isTTY)
    throw new BadInput('Parquet is a binary format: name a file with --out.');
  if (reports === 1) return;
  if (table !== undefined) throw new BadInput('--table is for one report alone.');
  if (out === undefined && holdsOneTable(format))
    throw new BadInput(`${format} holds one report: name a folder for several with --out.`);
  if (out !== undefined && existsSync(out) && !statSync(out).isDirectory())
    throw new BadInput(`--out: ${out} is a file; several reports need a folder.`);
}

/** @throws BadInput for invalid tables, and for one that does not exist */
export async function writeReports(results: readonly ReportResult[], { out, ...how }: Target): Promise<void> {
  const [first, ...others] = results.map(checked);
  if (first && others.length === 0) return writeOne(first, how, out);
  if (out === undefined) return writeTogether(results, how);
  mkdirSync(out, { recursive: true });
  for (const result of results) await writeInto(out, result, how.format);
}

/** One file named after the report; one per table if the format holds a single table. */
async function writeInto(folder: string, result: ReportResult, format: ReportFormat): Promise<void> {
  const fileOf = (name: string): string => join(folder, `${name}.${EXTENSIONS[format]}`);
  if (!holdsOneTable(format)) return writeOne(result, { format }, fileOf(result.name));
  for (const { name } of result.tables)
    await writeOne(result, { format, table: name }, fileOf(`${result.name}-${name}`));
}

const EXTENSIONS: Readonly<Record<ReportFormat, string>> = {
  table: 'txt',
  csv: 'csv',
  json: 'json',
  md: 'md',
  parquet: 'parquet',
};

/** One after another; JSON as a list. */
async function writeTogether(results: readonly ReportResult[], { format }: Pick<Target, 'format'>): Promise<void> {
  if (format === 'json') {
    process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    return;
  }
  for (const [nth, result] of results.entries()) {
    if (nth > 0) process.stdout.write('\n');
    await writeOne(result, { format }, undefined);
  }
}

async function writeOne(
  result: ReportResult,
  { format, table: name }: Pick<Target, 'format' | 'table'>,
  out: string | undefined,
): Promise<void> {
  const table = tableNamed(result, name);
  const text = await formatted(format, result, table);
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  const others = result.tables.filter((each) => each !== table).map((each) => each.name);
  if (holdsOneTable(format) && name === undefined && others.length > 0)
    console.error(`This is the table ${table.name} of ${result.name}. There are also: ${others.join(', ')} (--table).`);
}

/** A custom report may return anything. @throws BadInput */
function checked(result: ReportResult): ReportResult {
  const parsed = z.array(ReportTableView).min(1).safeParse(result.tables);
  if (parsed.success) return result;
  const [issue] = parsed.error.issues;
  throw new BadInput(
    `The tables of the report are not as they should be: ${['tables', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`,
  );
}

/** @throws BadInput */
function tableNamed({ tables }: ReportResult, name: string | undefined): ReportTable {
  const table = name === undefined ? tables[0] : tables.find((each) => each.name === name);
  if (!table)
    throw new BadInput(
      `--table: there is no table ${name ?? ''}. There are: ${tables.map((each) => each.name).join(', ')}.`,
    );
  return table;
}
