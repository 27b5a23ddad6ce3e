/** One row a page, for a spreadsheet. Cells that a spreadsheet would take for a formula are escaped. */
import { stringify } from 'csv-stringify/sync';
import { isIndexable } from '../checks/applies.ts';
import type { Finding } from '../checks/check.ts';
import { canonicalOf } from '../checks/lookups/canonicals.ts';
import { header } from '../checks/lookups/siteIndex.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';

const CELL_LIMIT = 1000;

type Tally = { all: number; high: number };

export function pagesCsv(crawl: Crawl, findings: readonly Finding[]): string {
  const tallies = new Map<string, Tally>();
  for (const { evidence, impact, hint } of findings) {
    const tally = tallies.get(evidence.url) ?? { all: 0, high: 0 };
    tally.all += 1;
    if (impact === 'high' && !hint) tally.high += 1;
    tallies.set(evidence.url, tally);
  }
  return stringify(
    crawl.pages.map((page) => rowOf(page, crawl, tallies.get(page.url) ?? { all: 0, high: 0 })),
    { header: true, escape_formulas: true, record_delimiter: 'windows' },
  );
}

function rowOf(page: CrawledPage, crawl: Crawl, tally: Tally): Record<string, string | number> {
  const { outcome, facts } = page;
  return {
    url: cell(page.url),
    status: outcome.status ?? '',
    problem: page.robotsBlocked ? 'closed by robots.txt' : (outcome.failure ?? ''),
    final_url: cell(outcome.url),
    redirects: outcome.hops.length,
    clicks_from_start: page.depth ?? '',
    found_by: page.from,
    content_type: cell(header(outcome, 'content-type') ?? ''),
    indexable: facts === null ? '' : isIndexable(page, crawl) ? 'yes' : 'no',
    canonical: cell(canonicalOf(page)?.url ?? ''),
    title: cell(facts?.titles[0]?.text ?? ''),
    title_length: facts?.titles[0]?.text.length ?? '',
    description: cell(facts?.metas.find((meta) => meta.name === 'description')?.content ?? ''),
    h1: cell(facts?.headings.find((heading) => heading.level === 1)?.text ?? ''),
    words: facts?.wordCount ?? '',
    links: facts?.totals.links ?? '',
    images: facts?.totals.images ?? '',
    bytes: outcome.bytes,
    first_byte_ms: Math.round(outcome.ttfbMs),
    findings: tally.all,
    high_impact: tally.high,
  };
}

/** One line; control characters would break the row in some programs. Without blanks in front: behind them the guard sees no formula, a spreadsheet may. */
export function cell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  const line = text.slice(0, CELL_LIMIT).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return line.trimStart();
}
