/** One row per page, for spreadsheets. Cells that could be read as formulas are escaped. */
import { stringify } from 'csv-stringify/sync';
import type { Finding } from '../../model/findings.ts';
import type { Indexability, PageColumns, PageRow } from '../../model/pages.ts';
import { visibleText } from '../../model/visibleText.ts';
import { isIndexable } from '../checks/applies.ts';
import { canonicalOf, hasForeignCanonical } from '../checks/lookups/canonicals.ts';
import { roleOf } from '../checks/lookups/roles.ts';
import { header, preparing, siteIndex } from '../checks/lookups/siteIndex.ts';
import { preparingTemplates, templateOf } from '../checks/lookups/templates.ts';
import { isAllowed } from '../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import { isMoved } from '../links/linkTable.ts';
import { preparingLinks, siteLinks } from '../links/siteLinks.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import { textsOf } from './pageTexts.ts';

const CELL_LIMIT = 1000;
const MOST_TYPES = 30;

type Tally = { all: number; high: number };

/** Without pausing. */
export function pageRows(crawl: Crawl, findings: readonly Finding[]): readonly PageRow[] {
  return atOnce(gatheringRows(crawl, findings));
}

/** Pauses between pages, and while it looks up where they stand in the site. */
export function* gatheringRows(crawl: Crawl, findings: readonly Finding[]): Pausable<readonly PageRow[]> {
  yield* preparing(crawl);
  yield* preparingLinks(crawl);
  yield* preparingTemplates(crawl);
  const tallies = new Map<string, Tally>();
  for (const { evidence, impact, hint } of findings) {
    const tally = tallies.get(evidence.url) ?? { all: 0, high: 0 };
    tally.all += 1;
    if (impact === 'high' && !hint) tally.high += 1;
    tallies.set(evidence.url, tally);
  }
  const rows: PageRow[] = [];
  for (const page of crawl.pages) {
    yield;
    rows.push(rowOf(page, crawl, tallies.get(page.url) ?? { all: 0, high: 0 }));
  }
  return rows;
}

export function pagesCsv(crawl: Crawl, findings: readonly Finding[]): string {
  return atOnce(writingPages(pageRows(crawl, findings)));
}

const ROWS_AT_ONCE = 50;

/** Pauses every few rows. */
export function* writingPages(rows: readonly PageRow[]): Pausable<string> {
  let text = '';
  for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE).map(cellsOf);
    text += stringify(some, { header: from === 0, escape_formulas: true, record_delimiter: 'windows' });
    yield;
  }
  return text;
}

function rowOf(page: CrawledPage, crawl: Crawl, tally: Tally): PageRow {
  const { outcome, facts } = page;
  const texts = facts && textsOf(facts);
  return {
    url: page.url,
    status: outcome.status ?? null,
    problem: page.robotsBlocked ? 'closed by robots.txt' : (outcome.failure ?? ''),
    finalUrl: cell(outcome.url),
    redirects: outcome.hops.length,
    clicksFromStart: page.depth ?? null,
    foundBy: page.from,
    contentType: cell(header(outcome, 'content-type') ?? ''),
    indexable: facts === null ? null : isIndexable(page, crawl),
    canonical: cell(canonicalOf(page)?.url ?? ''),
    title: cell(texts?.title ?? ''),
    titleLength: facts?.titles[0]?.text.length ?? null,
    description: cell(texts?.description ?? ''),
    h1: cell(texts?.h1 ?? ''),
    words: facts?.wordCount ?? null,
    links: facts?.totals.links ?? null,
    images: facts?.totals.images ?? null,
    bytes: outcome.bytes,
    firstByteMs: Math.round(outcome.ttfbMs),
    findings: tally.all,
    highImpact: tally.high,
    ...columnsOf(page, crawl),
  };
}

function columnsOf(page: CrawledPage, crawl: Crawl): PageColumns {
  const { facts } = page;
  const links = siteLinks(crawl).pageLinks(page);
  const h1s = facts?.headings.filter(({ level, byRole }) => level === 1 && !byRole).length;
  const description = facts?.metas.find(({ name }) => name === 'description')?.content.trim();
  return {
    role: roleOf(page, crawl).role,
    indexability: indexabilityOf(page, crawl),
    template: cell(templateOf(page, crawl).pattern),
    inlinks: links?.inlinks.pages ?? null,
    outlinks: facts === null ? null : (links?.outlinks.links ?? null),
    externalLinks: facts === null ? null : (links?.external.links ?? null),
    pageRank: links === null ? null : Math.round(links.pageRank * 1e6),
    descriptionLength: facts === null ? null : (description ?? '').length,
    h1s: h1s ?? null,
    lang: cell(facts?.lang ?? ''),
    imagesWithoutAlt:
      facts === null
        ? null
        : facts.images.filter(({ alt, hidden, decorative }) => alt === null && !hidden && !decorative).length,
    dataTypes: [...new Set(facts?.structuredData.flatMap(({ types }) => types))].slice(0, MOST_TYPES).map(cell),
  };
}

function indexabilityOf(page: CrawledPage, crawl: Crawl): Indexability {
  const { outcome, facts } = page;
  if (page.robotsBlocked) return 'robots';
  if (isMoved(page)) return 'redirect';
  if (outcome.status === null || outcome.status >= 400) return 'error';
  if (facts === null) return 'not_html';
  if (isIndexable(page, crawl)) return hasForeignCanonical(page) ? 'canonical' : 'indexable';
  return isAllowed(siteIndex(crawl).robots, 'Googlebot', outcome.url).allowed ? 'noindex' : 'robots';
}

function cellsOf(page: PageRow): Record<string, string | number> {
  return {
    url: cell(page.url),
    status: page.status ?? '',
    problem: page.problem,
    final_url: page.finalUrl,
    redirects: page.redirects,
    clicks_from_start: page.clicksFromStart ?? '',
    found_by: page.foundBy,
    content_type: page.contentType,
    indexable: page.indexable === null ? '' : page.indexable ? 'yes' : 'no',
    canonical: page.canonical,
    title: page.title,
    title_length: page.titleLength ?? '',
    description: page.description,
    h1: page.h1,
    words: page.words ?? '',
    links: page.links ?? '',
    images: page.images ?? '',
    bytes: page.bytes,
    first_byte_ms: page.firstByteMs,
    findings: page.findings,
    high_impact: page.highImpact,
  };
}

/**
 * Puts the text on one line, because control characters break rows in some programs. Drops leading white space, which
 * hides a formula from the guard.
 */
export function cell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  const line = visibleText(text.slice(0, CELL_LIMIT)).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return line.trimStart();
}
