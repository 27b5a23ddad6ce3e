/**
 * Names what one edit would fix for each finding: a template, a link or an image that pages share, a header, a file, or
 * the page alone. Names stay as they are when pages are added or redesigned, so that issues keep their identity. Pure;
 * the cost grows with findings, pages, and links.
 */
import type { Finding, RootCause } from '../model/findings.ts';
import { headerAt, targetOf } from '../model/issues/relations.ts';
import { parseUrl } from '../model/parseUrl.ts';
import { addressKey } from './checks/lookups/siteIndex.ts';
import { preparingTemplates, type Template, templateOf } from './checks/lookups/templates.ts';
import type { Crawl, CrawledPage } from './crawl/site.ts';
import { excerpt } from './excerpt.ts';
import { preparingLinks, siteLinks } from './links/siteLinks.ts';
import type { Pausable } from './timeSlices.ts';

const MAX_NAME = 200;
/** Of a place, as far as it is compared. */
const MAX_PLACE = 300;
/** So many pages with one fault in one place have it from their template. */
const MIN_PAGES = 3;

/** Of the layout that all templates share. */
const ALL_TEMPLATES = '*';

/** What an answer or an address is at fault for is nothing that a template writes. */
const NOT_IN_PAGE =
  /^(?:status|redirects|connection|size|url|protocol|certificate|body size|time to first byte|User-Agent)$|^clicks /;

/** The text of a page: whoever wrote it changes it there. */
const OWN_TEXT: ReadonlySet<string> = new Set([
  'answer-not-first',
  'duplicate-content',
  'hard-to-read',
  'keyword-stuffing',
  'no-evidence',
  'no-lists-tables',
  'no-question-content',
  'no-subheadings',
  'passage-too-long',
  'placeholder-text',
  'thin-content',
]);

/** Pages on which one check fails in one place. */
type Spot = {
  readonly templates: Map<Template, Set<CrawledPage>>;
  /** Set once all pages are known. */
  isLayout: boolean;
};

/** Pages that were read, of the site and of each template. */
type Extent = { readonly pages: number; readonly templates: ReadonlyMap<Template, number> };

export function* namingRoots(findings: readonly Finding[], crawl: Crawl): Pausable<readonly Finding[]> {
  if (findings.length === 0) return findings;
  yield* preparingTemplates(crawl);
  const pages = new Map<string, CrawledPage>();
  const sizes = new Map<Template, number>();
  let read = 0;
  for (const page of crawl.pages) {
    yield;
    if (!pages.has(page.url)) pages.set(page.url, page);
    if (page.facts === null) continue;
    read += 1;
    const template = templateOf(page, crawl);
    sizes.set(template, (sizes.get(template) ?? 0) + 1);
  }
  const naming: Naming = { crawl, pages, files: filesOf(crawl), known: new Map() };
  const spots = new Map<string, Spot>();
  const found: (RootCause | Spot)[] = [];
  for (const finding of findings) {
    yield;
    found.push(ownRoot(finding, naming) ?? spotOf(finding, naming, spots) ?? pageRoot(finding, naming));
  }
  for (const spot of spots.values()) {
    yield;
    spot.isLayout = isLayout(spot, { pages: read, templates: sizes });
  }
  const positions = yield* positionsOf(findings, found, crawl);
  const named: Finding[] = [];
  for (const [at, finding] of findings.entries()) {
    yield;
    const root = found[at] as RootCause | Spot;
    if ('kind' in root) named.push({ ...finding, root: positions.get(root) ?? root });
    else named.push({ ...finding, root: templateRoot(finding, root, sizes, naming) });
  }
  return named;
}

type Naming = {
  readonly crawl: Crawl;
  readonly pages: ReadonlyMap<string, CrawledPage>;
  /** Names of the site's files, by address. */
  readonly files: ReadonlyMap<string, string>;
  /** Each root is held once. */
  readonly known: Map<string, RootCause>;
};

function rootOf(kind: RootCause['kind'], name: string, { known }: Naming): RootCause {
  const short = excerpt(name, MAX_NAME);
  const key = `${kind} ${short}`;
  let root = known.get(key);
  if (root === undefined) {
    root = { kind, name: short };
    known.set(key, root);
  }
  return root;
}

/** What a finding says of its root by itself; null if it depends on the other pages. */
function ownRoot(finding: Finding, naming: Naming): RootCause | null {
  const { place, url } = finding.evidence;
  const header = headerAt(place);
  if (header !== null) return rootOf('header', header, naming);
  const file = place.startsWith('robots.txt') ? 'robots.txt' : naming.files.get(url);
  if (file !== undefined) return rootOf('file', file, naming);
  if (finding.checkId.startsWith('sitemap-')) return rootOf('file', sitemapOf(naming.crawl), naming);
  const target = targetOf(finding);
  if (target !== null) return rootOf(target.kind, nameOf(target.address, naming.crawl), naming);
  return OWN_TEXT.has(finding.checkId) || NOT_IN_PAGE.test(place) ? pageRoot(finding, naming) : null;
}

const pageRoot = ({ evidence }: Finding, naming: Naming): RootCause =>
  rootOf('page', nameOf(evidence.url, naming.crawl), naming);

/** An address of the site without its origin. */
function nameOf(address: string, { discovery: { origin } }: Crawl): string {
  return address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
}

function filesOf({ discovery }: Crawl): ReadonlyMap<string, string> {
  const { robots, sitemaps, llmsTxt } = discovery;
  const outcomes = [...sitemaps.map(({ outcome }) => outcome), ...(llmsTxt === null ? [] : [llmsTxt.outcome])];
  return new Map([
    ...outcomes.map(({ requestedUrl }): [string, string] => [requestedUrl, fileName(requestedUrl)]),
    [robots.outcome.requestedUrl, 'robots.txt'],
  ]);
}

const fileName = (url: string): string => parseUrl(url)?.pathname.slice(1) || url;

/** Where its entries are edited: the first, which names the others. */
const sitemapOf = ({ discovery: { sitemaps } }: Crawl): string =>
  sitemaps[0] === undefined ? 'sitemap.xml' : fileName(sitemaps[0].url);

/** Null if the page was not read. */
function spotOf({ checkId, evidence }: Finding, naming: Naming, spots: Map<string, Spot>): Spot | null {
  const page = naming.pages.get(evidence.url);
  if (page == null || page.facts === null) return null;
  const key = `${checkId}\n${placeKey(evidence)}`;
  let spot = spots.get(key);
  if (spot === undefined) {
    spot = { templates: new Map(), isLayout: false };
    spots.set(key, spot);
  }
  const template = templateOf(page, naming.crawl);
  const inTemplate = spot.templates.get(template);
  if (inTemplate === undefined) spot.templates.set(template, new Set([page]));
  else inTemplate.add(page);
  return spot;
}

/**
 * The place as a template would write it: whatever stands before it, and wherever its link leads. Of links, those of
 * one text are one place.
 */
function placeKey({ place, value }: Finding['evidence']): string {
  const bare = place
    .slice(0, MAX_PLACE)
    .replace(/ \(after rendering\)$/, '')
    .replace(/:nth-[a-z-]{1,20}\(\d{1,9}\)/g, '');
  const ofLink = bare.replace(/\[(?:href|src)\^?="(?:[^"\\]|\\.)*"\]/, '');
  return ofLink === bare ? bare : `${ofLink}\n${value}`;
}

/** Most pages, and most templates, have it. */
function isLayout({ templates }: Spot, site: Extent): boolean {
  let [pages, affected] = [0, 0];
  for (const [template, some] of templates) {
    pages += some.size;
    if (some.size > (site.templates.get(template) ?? 0) / 2) affected += 1;
  }
  return pages >= MIN_PAGES && affected > 1 && pages > site.pages / 2 && affected > site.templates.size / 2;
}

function templateRoot(
  finding: Finding,
  { templates, isLayout: isShared }: Spot,
  sizes: Extent['templates'],
  naming: Naming,
): RootCause {
  if (isShared) return rootOf('template', ALL_TEMPLATES, naming);
  const page = naming.pages.get(finding.evidence.url) as CrawledPage;
  const template = templateOf(page, naming.crawl);
  const affected = templates.get(template)?.size ?? 0;
  const isOfTemplate = affected >= MIN_PAGES || (affected > 1 && affected > (sizes.get(template) ?? 0) / 2);
  return isOfTemplate ? rootOf('template', template.pattern, naming) : pageRoot(finding, naming);
}

/** Where links that pages share stand. Links are only gathered if there is one. */
function* positionsOf(
  findings: readonly Finding[],
  roots: readonly (RootCause | Spot)[],
  crawl: Crawl,
): Pausable<ReadonlyMap<RootCause | Spot, RootCause>> {
  const counts = new Map<RootCause, { address: string; findings: number }>();
  for (const [at, root] of roots.entries()) {
    yield;
    if (!('kind' in root) || root.kind !== 'link') continue;
    const known = counts.get(root);
    if (known === undefined)
      counts.set(root, { address: targetOf(findings[at] as Finding)?.address ?? '', findings: 1 });
    else known.findings += 1;
  }
  const placed = new Map<RootCause | Spot, RootCause>();
  // Many ways to write one address lead to the same links.
  const asked = new Map<string, RootCause['position'] | undefined>();
  for (const [root, { address, findings: count }] of counts) {
    if (count < MIN_PAGES) continue;
    yield* preparingLinks(crawl);
    const key = addressKey(address);
    if (!asked.has(key)) asked.set(key, (yield* siteLinks(crawl).findingShared(address))?.repeated[0]?.position);
    const position = asked.get(key);
    if (position !== undefined) placed.set(root, { ...root, position });
  }
  return placed;
}
