/**
 * Which pages of a site come from one template: those with the same path pattern and the same structure. The pattern
 * names the template. It follows from the page's own address alone, so that it stays as it is when pages are added or
 * the site is redesigned.
 */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { type SimHash, simHashDistance } from '../../facts/text/simHash.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import { isLanguage } from './language/hreflangs.ts';

export type Template = {
  /** `/blog/*`, `/{lang}/products/*`, `/*` for a page at the top, `/` for the start page. */
  readonly pattern: string;
  /** The pages of the crawl that have it, this one included. */
  readonly pages: number;
};

/** Bits in which pages of one template may differ. */
const MOST_BITS = 12;
/** Structures told apart within one pattern; further ones count as the first. */
const MAX_SHAPES = 16;
const MAX_SEGMENTS = 5;
const MAX_NAMES = 4;

type Cluster = { readonly pattern: string; readonly shape: SimHash | null; pages: number };

const built = new WeakMap<Crawl, ReadonlyMap<CrawledPage, Template>>();

/**
 * The same object for all pages of a template; two templates may share a pattern. Pages without HTML, such as those that robots.txt blocks, are one template for each
 * pattern.
 */
export function templateOf(page: CrawledPage, site: Crawl): Template {
  let templates = built.get(site);
  if (templates === undefined) {
    templates = atOnce(clustering(site));
    built.set(site, templates);
  }
  return templates.get(page) ?? { pattern: pathPattern(page.url), pages: 1 };
}

/** Finds them in slices, before anybody asks for them. */
export function* preparingTemplates(site: Crawl): Pausable<void> {
  if (!built.has(site)) built.set(site, yield* clustering(site));
}

/** By page, in the order of the pages. */
export function* clustering({ pages }: Pick<Crawl, 'pages'>): Pausable<ReadonlyMap<CrawledPage, Template>> {
  const byPattern = new Map<string, Cluster[]>();
  const templates = new Map<CrawledPage, Cluster>();
  for (const page of pages) {
    yield;
    const pattern = page.from === 'start' ? '/' : pathPattern(page.url);
    let clusters = byPattern.get(pattern);
    if (clusters === undefined) {
      clusters = [];
      byPattern.set(pattern, clusters);
    }
    const shape = readShape(page.facts?.shape ?? '');
    let cluster = clusters.find((each) => isAlike(each.shape, shape));
    if (cluster === undefined && clusters.length >= MAX_SHAPES) cluster = clusters[0];
    if (cluster === undefined) {
      cluster = { pattern, shape, pages: 0 };
      clusters.push(cluster);
    }
    cluster.pages += 1;
    templates.set(page, cluster);
  }
  return templates;
}

function isAlike(a: SimHash | null, b: SimHash | null): boolean {
  return a === null || b === null ? a === b : simHashDistance(a, b) <= MOST_BITS;
}

function readShape(shape: string): SimHash | null {
  return shape === ''
    ? null
    : { low: Number.parseInt(shape.slice(0, 8), 16), high: Number.parseInt(shape.slice(8), 16) };
}

/** What an editor would call the addresses of one template, from the address alone. */
export function pathPattern(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const all = pathname.split('/').filter((segment) => segment !== '');
  const file = all.at(-1) ?? '';
  const isScript = /\.(?:php|aspx?|jsp|cgi|cfm|pl)$/i.test(file);
  const names = isScript || all.length === 0 ? parameterNames(searchParams) : '';
  if (names !== '' && isScript) return `/${all.slice(0, MAX_SEGMENTS).join('/')}?${names}`;
  if (/^(?:index|default)\.\w{1,6}$/i.test(file)) all.pop();
  const [first = ''] = all;
  const language = isLanguageSegment(first) ? ['{lang}'] : [];
  const segments = all.slice(language.length);
  const last = segments.length - 1;
  // The dates in /blog/2024/05/post are no level of their own.
  const named = segments.filter((segment, at) => at === last || !/^\d{1,4}$/.test(segment)).slice(0, MAX_SEGMENTS);
  const parts = named.map((segment, at) => (at === 0 && named.length > 1 && !isSlug(segment) ? segment : '*'));
  return `/${[...language, ...parts].join('/')}${names === '' ? '' : `?${names}`}`;
}

/** `de`, `en-gb` and `pt_BR`. */
function isLanguageSegment(segment: string): boolean {
  const [language = '', region = ''] = segment.split(/[-_]/, 2);
  return /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(segment) && isLanguage(language) && (region === '' || region.length === 2);
}

/** A title turned into a part of an address, a number, or a release: as many as there are pages. */
function isSlug(segment: string): boolean {
  return segment.length > 40 || segment.split(/[-_]/).length > 3 || /\d{3}|^v?\d+(?:\.\d+)*$/.test(segment);
}

function parameterNames(parameters: URLSearchParams): string {
  return [...new Set(parameters.keys())]
    .sort()
    .slice(0, MAX_NAMES)
    .map((name) => `${name.slice(0, 40)}=`)
    .join('&');
}
