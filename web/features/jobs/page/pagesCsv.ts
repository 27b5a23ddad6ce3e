/** `pages.csv` as the page reads it: one row an address that was asked for. */

export interface PageRow {
  readonly url: string;
  /** Null when nothing answered. */
  readonly status: number | null;
  readonly problem: string;
  readonly title: string;
  readonly indexable: boolean | null;
  readonly words: number | null;
  readonly findings: number;
  readonly highImpact: number;
}

export function readPages(csv: string): PageRow[] {
  const [head, ...rows] = parseCsv(csv);
  const at = new Map((head ?? []).map((name, index) => [name, index]));
  return rows.map((row) => {
    const cell = (name: string): string => row[at.get(name) ?? -1] ?? '';
    const number = (name: string): number | null => (cell(name) === '' || Number.isNaN(Number(cell(name))) ? null : Number(cell(name)));
    return {
      url: cell('url'),
      status: number('status'),
      problem: cell('problem'),
      title: cell('title'),
      indexable: cell('indexable') === '' ? null : cell('indexable') === 'yes',
      words: number('words'),
      findings: number('findings') ?? 0,
      highImpact: number('high_impact') ?? 0,
    };
  });
}

/** Commas, quotes and line breaks by RFC 4180. What was written as text so that a spreadsheet takes it for no formula is text again. */
export function parseCsv(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push((quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'(?=[=+\-@\t\r])/, ''));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

export const PAGE_FILTERS = ['all', 'findings', 'problems', 'closed'] as const;
export type PageFilter = (typeof PAGE_FILTERS)[number];

/** `problems`: nothing, or an error, answered. `closed`: search engines may not show it. */
export function pageMatches(page: PageRow, filter: PageFilter): boolean {
  if (filter === 'findings') return page.findings > 0;
  if (filter === 'problems') return page.status === null || page.status >= 400;
  return filter === 'closed' ? page.indexable === false : true;
}

/** Most to do first. */
export function byFindings(pages: readonly PageRow[]): PageRow[] {
  return [...pages].sort((a, b) => b.highImpact - a.highImpact || b.findings - a.findings || (a.url < b.url ? -1 : 1));
}
