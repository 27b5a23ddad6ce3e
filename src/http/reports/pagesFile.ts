/** The pages that a list has as a file for spreadsheets. */
import { csvHead, csvLines } from '../../model/reportCsv.ts';
import type { ReportColumn, ReportRow } from '../../model/reports.ts';
import { PAGE_COLUMNS, type PagesFileQuery, type PageView } from '../contract/pages.ts';
import { chosenPages, type PagesOf, pageView } from './listPages.ts';
import type { PageTable } from './pageTable.ts';

/** Rows in memory as text at once. */
const ROWS_AT_ONCE = 200;

/** CSV in parts, with the byte order mark by which spreadsheets know its encoding. */
export async function* pagesFile(
  table: PageTable,
  { columns = PAGE_COLUMNS.join(), ...query }: PagesFileQuery,
  hasTask: PagesOf['hasTask'],
): AsyncGenerator<string> {
  const names = columns.split(',') as (keyof PageView)[];
  const heads = names.map((name): ReportColumn => ({ key: name, label: snakeCase(name), kind: 'text' }));
  const { chosen } = chosenPages(table, query, hasTask);
  yield `\ufeff${csvHead(heads)}`;
  for (let from = 0; from < chosen.length; from += ROWS_AT_ONCE) {
    const rows = [...chosen.subarray(from, from + ROWS_AT_ONCE)].flatMap((row) => table.rows[row] ?? []);
    yield csvLines(
      heads,
      rows.map((page) => cellsOf(pageView(page))),
    );
  }
}

/** As the columns of the audit's own file of pages are named. */
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const cellsOf = (page: PageView): ReportRow => ({
  ...page,
  indexable: page.indexable === null ? null : page.indexable ? 'yes' : 'no',
  dataTypes: page.dataTypes?.join(', ') ?? null,
});
