/** Which issues pages have: findings are numbered issue by issue, and pages name the numbers of theirs. */
import type { ReportCause, ReportPage } from '../../domain/report/reportRows.ts';
import type { PageIssue } from '../contract/pages.ts';
import type { OpenReport } from './openReport.ts';

/** A preview numbers its few findings itself; null for the rows that the pages name. */
export async function rowsByPage({
  preview,
  findings,
}: Pick<OpenReport, 'preview' | 'findings'>): Promise<ReadonlyMap<string, readonly number[]> | null> {
  if (preview === null) return null;
  const rows = new Map<string, number[]>();
  for (const [row, { evidence }] of (await findings([...Array(preview.shown).keys()])).entries()) {
    const known = rows.get(evidence.url);
    if (known) known.push(row);
    else rows.set(evidence.url, [row]);
  }
  return rows;
}

/** Of each page, in the same order: its issues with the number of their findings on it, as the list of issues has them. */
export async function issuesOfPages(
  report: Pick<OpenReport, 'overview' | 'preview' | 'findings'>,
  pages: readonly ReportPage[],
): Promise<PageIssue[][]> {
  const own = await rowsByPage(report);
  const causes = [...report.overview.causes].sort((a, b) => a.from - b.from);
  return pages.map((page) => {
    const counts = new Map<ReportCause, number>();
    for (const row of own?.get(page.url) ?? (own === null ? page.rows : [])) {
      const cause = causeAt(causes, row);
      if (cause) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
    return [...counts].map(([{ check }, findings]) => ({ checkId: check.id, findings }));
  });
}

/** The issue of a finding; null if it is of none. `causes`: by their first row. */
export function causeAt(causes: readonly ReportCause[], row: number): ReportCause | null {
  let [low, high] = [0, causes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((causes[middle]?.from ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  const cause = causes[low - 1];
  return cause && row < cause.from + cause.findings ? cause : null;
}
