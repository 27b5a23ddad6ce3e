/** Paginated series: pages whose addresses differ only in the number of the page. */
import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { atOnce, type Pausable } from '../../../timeSlices.ts';
import { internalLinks } from '../pageLinks.ts';
import { addressKey, siteIndex } from '../siteIndex.ts';

const PARAMETERS: ReadonlySet<string> = new Set(
  'page paged pageno page_no pagenum page_num pg seite pagina offset start'.split(' '),
);
const IN_PATH = /\/(?:page|seite|pagina|p)[/-]?\d{1,5}\/?$/i;

type Place = { readonly series: string; readonly isNumbered: boolean };

/** The address without its page number. */
function placeOf(address: string): Place {
  const url = new URL(address);
  const pathname = url.pathname.replace(IN_PATH, '/');
  const parameters = [...url.searchParams];
  const numbers = new Set(
    parameters.filter(([name, value]) => isPageNumber(name.toLowerCase(), value, pathname)).map(([name]) => name),
  );
  const isNumbered = numbers.size > 0 || pathname !== url.pathname;
  // At once: each deletion would write the whole query again.
  if (numbers.size > 0) url.search = String(new URLSearchParams(parameters.filter(([name]) => !numbers.has(name))));
  url.pathname = pathname.replace(/(?<=.)\/$/, '');
  return { series: addressKey(url.href), isNumbered };
}

/** `/?p=12` is an article of WordPress. */
function isPageNumber(name: string, value: string, pathname: string): boolean {
  return /^\d{1,5}$/.test(value) && (PARAMETERS.has(name) || (name === 'p' && pathname !== '/'));
}

type Series = {
  /** Series of the pages that belong to one of at least two pages. */
  readonly of: ReadonlyMap<CrawledPage, string>;
  /** Clicks from the start page to the first page of each series. */
  readonly depths: ReadonlyMap<string, number>;
};

const known = new WeakMap<Crawl, Series>();

function seriesOf(site: Crawl): Series {
  let series = known.get(site);
  if (series === undefined) {
    series = atOnce(findSeries(site));
    known.set(site, series);
  }
  return series;
}

/** Finds the series in slices, before the checks need them. */
export function* preparingSeries(site: Crawl): Pausable<void> {
  if (!known.has(site)) known.set(site, yield* findSeries(site));
}

function* findSeries(site: Crawl): Pausable<Series> {
  const places: ({ readonly page: CrawledPage } & Place)[] = [];
  for (const page of siteIndex(site).htmlPages) {
    places.push({ page, ...placeOf(page.outcome.url) });
    yield;
  }
  const numbered = new Set(places.filter(({ isNumbered }) => isNumbered).map(({ series }) => series));
  const counts = new Map<string, number>();
  for (const { series } of places) counts.set(series, (counts.get(series) ?? 0) + 1);
  const members = places.filter(({ series }) => numbered.has(series) && (counts.get(series) ?? 0) > 1);
  const depths = new Map<string, number>();
  for (const { page, series } of members)
    depths.set(
      series,
      Math.min(page.depth ?? Number.POSITIVE_INFINITY, depths.get(series) ?? Number.POSITIVE_INFINITY),
    );
  return { of: new Map(members.map(({ page, series }) => [page, series])), depths };
}

/** The series that the page is a part of; null if it is none. */
export function pagedSeries(page: CrawledPage, site: Crawl): string | null {
  return seriesOf(site).of.get(page) ?? null;
}

/**
 * For pages of a series, and those that it links to: clicks from the start page if turning pages, however many, is one
 * click.
 */
export function* depthsBySeries(site: Crawl): Pausable<ReadonlyMap<string, number>> {
  const { of, depths } = seriesOf(site);
  const clicks = new Map<string, number>();
  const add = (url: string, depth: number): void =>
    void clicks.set(url, Math.min(depth, clicks.get(url) ?? Number.POSITIVE_INFINITY));
  for (const [page, series] of of) {
    const depth = (depths.get(series) ?? 0) + 1;
    add(page.outcome.url, depth);
    for (const { url } of internalLinks(page)) add(url, depth + 1);
    yield;
  }
  return clicks;
}
