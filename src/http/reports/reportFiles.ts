/** Builds rows from the stored files of older audits, made before rows were written. */
import { type Found, type Report, reportOf } from '../../domain/report/reportData.ts';
import type { PageRow } from '../../model/pages.ts';

/** Null if there are no readable findings. */
export function reportFromFiles(
  findings: string | null,
  pages: string | null,
  siteChecks: ReadonlySet<string>,
): Report | null {
  const found = readFindings(findings ?? '');
  return found && reportOf(found, readPages(pages ?? ''), siteChecks);
}

const EMPTY: Found = { host: '', score: null, coverage: { text: '' }, findings: [], outcomes: [], checks: [] };

/** Written by this product, so only its shape is checked. */
function readFindings(text: string): Found | null {
  try {
    const file = JSON.parse(text) as Partial<Found> | null;
    return file && Array.isArray(file.findings) && Array.isArray(file.checks) ? { ...EMPTY, ...file } : null;
  } catch {
    return null;
  }
}

export function readPages(csv: string): readonly PageRow[] {
  const [head, ...rows] = parseCsv(csv);
  const at = new Map((head ?? []).map((name, index) => [name, index]));
  return rows.map((row) => {
    const text = (name: string): string => row[at.get(name) ?? -1] ?? '';
    const number = (name: string): number | null =>
      text(name) === '' || Number.isNaN(Number(text(name))) ? null : Number(text(name));
    return {
      url: text('url'),
      status: number('status'),
      problem: text('problem'),
      finalUrl: text('final_url'),
      redirects: number('redirects') ?? 0,
      clicksFromStart: number('clicks_from_start'),
      foundBy: text('found_by'),
      contentType: text('content_type'),
      indexable: text('indexable') === '' ? null : text('indexable') === 'yes',
      canonical: text('canonical'),
      title: text('title'),
      titleLength: number('title_length'),
      description: text('description'),
      h1: text('h1'),
      words: number('words'),
      links: number('links'),
      images: number('images'),
      bytes: number('bytes') ?? 0,
      firstByteMs: number('first_byte_ms') ?? 0,
      findings: number('findings') ?? 0,
      highImpact: number('high_impact') ?? 0,
    };
  });
}

/**
 * Commas, quotes and line breaks as in RFC 4180. Undoes the escaping of text that spreadsheets would treat as formulas.
 */
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
