/** When a check may look: the shared predicates, so that checks of one kind never contradict each other. */
import { isAllowed } from '../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import { isFilledByScript } from '../facts/appShell.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { areaOf } from '../facts/reading.ts';
import { countWords } from '../facts/text/words.ts';
import type { HtmlPage } from './check.ts';
import { canonicalOf, isSelfCanonical } from './lookups/canonicals.ts';
import { blockingHeader, blockingMeta } from './lookups/directives.ts';
import { hreflangsOf } from './lookups/language/hreflangs.ts';
import { header, isHttps, isLocalHost, isStartPage, siteIndex } from './lookups/siteIndex.ts';
import { SHORT_BY_NATURE } from './phrases.ts';
import { namesType } from './schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from './thresholds.ts';

type Page = CrawledPage;

/** The crawl asked for it. */
export function asked(page: Page): boolean {
  return !page.robotsBlocked;
}

/** Some HTTP answer came. */
export function answered(page: Page): boolean {
  return asked(page) && page.outcome.status !== null;
}

/** Asked for as a page: files that are linked and turn out to be something else are not judged as pages. */
export function isPageAddress(page: Page): boolean {
  const type = header(page.outcome, 'content-type') ?? 'text/html';
  return htmlPage(page) || page.robotsBlocked || /html/i.test(type) || (page.outcome.status ?? 500) >= 400;
}

/** The answer was a page. */
export function htmlPage(page: Page): page is HtmlPage {
  return page.facts !== null;
}

export function httpsPage(page: Page): boolean {
  return htmlPage(page) && isHttps(page.outcome.url);
}

/** A page whose content can be judged. */
export function contentPage(page: Page): page is HtmlPage {
  return htmlPage(page) && !isFilledByScript(page.facts);
}

/** Asked by many checks of the same page: answered once a crawl. */
function oncePerPage(answer: (page: Page, site: Crawl) => boolean): (page: Page, site: Crawl) => boolean {
  const known = new WeakMap<Crawl, WeakMap<Page, boolean>>();
  return (page, site) => {
    let answers = known.get(site);
    if (answers === undefined) {
      answers = new WeakMap();
      known.set(site, answers);
    }
    let cached = answers.get(page);
    if (cached === undefined) {
      cached = answer(page, site);
      answers.set(page, cached);
    }
    return cached;
  };
}

const mayBeListed = oncePerPage((page, site) => {
  if (!htmlPage(page) || page.robotsBlocked) return false;
  if (blockingMeta(page, 'Googlebot', site) !== null || blockingHeader(page, 'Googlebot', site) !== null) return false;
  return isAllowed(siteIndex(site).robots, 'Googlebot', page.outcome.url).allowed;
});

/** Google may list it. */
export function isIndexable(page: Page, site: Crawl): page is HtmlPage {
  return mayBeListed(page, site);
}

export function indexableContent(page: Page, site: Crawl): boolean {
  return contentPage(page) && isIndexable(page, site);
}

/** Indexable, and the original of itself. */
export function isOriginal(page: Page, site: Crawl): page is HtmlPage {
  return isIndexable(page, site) && isSelfCanonical(page);
}

export function titled(page: Page): boolean {
  return contentPage(page) && page.facts.titles.some(({ inHead, text }) => inHead && text !== '');
}

export function described(page: Page): boolean {
  return contentPage(page) && page.facts.metas.some(({ name, content }) => name === 'description' && content.trim() !== '');
}

export function hasHreflang(page: Page): boolean {
  return htmlPage(page) && hreflangsOf(page).length > 0;
}

export function hasCanonical(page: Page): boolean {
  return htmlPage(page) && canonicalOf(page) !== null;
}

export function hasLinks(page: Page): boolean {
  return htmlPage(page) && page.facts.links.length > 0;
}

export function hasImages(page: Page): boolean {
  return htmlPage(page) && page.facts.images.some((image) => !image.hidden);
}

export function hasJsonLd(page: Page): boolean {
  return htmlPage(page) && page.facts.structuredData.some((data) => data.syntax === 'json-ld');
}

/** Not a page that is short by nature: contact, login, cart, legal notice, lists. */
export const isTextPage = oncePerPage((page, site) => {
  const { pathname, search } = new URL(page.outcome.url);
  return indexableContent(page, site) && !SHORT_BY_NATURE.test(pathname + search) && !(htmlPage(page) && isListing(page.facts));
});

/** An index of a section: most of its words are links. The start page is expected to say more. */
export function isListing({ url, links, totals, wordCount }: PageFacts): boolean {
  if (new URL(url).pathname === '/' || wordCount === 0) return false;
  const listed = links.filter((link) => areaOf(link) === 'main' && link.internal);
  if (listed.length < THRESHOLDS.listingLinks) return false;
  // Of a long list, the links that are kept speak for the rest.
  const words = (listed.reduce((sum, { text }) => sum + countWords(text), 0) * totals.links) / links.length;
  return words > wordCount * THRESHOLDS.listingShare;
}

/** A post, a news story: recognized by its markup, or by the section that it stands in. */
export function isArticle(page: Page, site: Crawl): page is HtmlPage {
  if (!contentPage(page) || !isIndexable(page, site)) return false;
  const { facts } = page;
  if (namesType(facts, 'Article') || facts.properties.some(({ name, content }) => name === 'og:type' && content.trim().toLowerCase() === 'article'))
    return true;
  if (facts.landmarks.article === 1 && facts.dates.length > 0) return true;
  const segments = new URL(page.outcome.url).pathname.split('/').filter(Boolean);
  return (
    segments.length >= 2 &&
    /^(?:blog|news|articles?|posts?)$/.test(segments.at(-2) ?? '') &&
    !SHORT_BY_NATURE.test(segments.at(-1) ?? '') &&
    facts.landmarks.article <= 1
  );
}

/** A page of some length that informs: no start page, nothing for sale, no manual, nothing that is short by nature. */
export function isInformational(page: Page, site: Crawl, moreThan: number): boolean {
  return isTextPage(page, site) && htmlPage(page) && page.facts.wordCount > moreThan && !isManual(page) && !isStartPage(page) && !isProduct(page);
}

/** Reference for those who work with something: it is a source itself, and nobody asks it questions in headings. */
function isManual({ facts }: HtmlPage): boolean {
  return facts.counts.listings >= THRESHOLDS.manualListings || namesType(facts, 'TechArticle');
}

/** A page that sells one thing. */
export function isProduct(page: Page): page is HtmlPage {
  if (!contentPage(page)) return false;
  const { facts } = page;
  const ogProduct = facts.properties.some(({ name, content }) => name === 'og:type' && /^(?:og:)?product(?:\.item)?$/.test(content.trim().toLowerCase()));
  return ogProduct || namesType(facts, 'Product') || (facts.commerce.price && facts.commerce.buyButton);
}

/** Two or more levels below the start. */
export function isDeepInTree(page: Page, site: Crawl): boolean {
  if (!indexableContent(page, site) || isStartPage(page)) return false;
  const segments = new URL(page.outcome.url).pathname.split('/').filter(Boolean);
  return segments.length - (/^index\.\w{2,5}$/.test(segments.at(-1) ?? '') ? 1 : 0) >= 2;
}

export function everySite(): boolean {
  return true;
}

/** The whole document was read: of one that was cut, nothing can be said to be missing. */
export function isWhole(page: Page): boolean {
  return !page.outcome.truncated;
}

export function isStartWhole(site: Crawl): boolean {
  const { start } = siteIndex(site);
  return start !== null && isWhole(start);
}

/** No page was cut: of a site, nothing can be said to be missing otherwise. */
export function arePagesWhole(site: Crawl): boolean {
  return siteIndex(site).htmlPages.every(isWhole);
}

/** The site said something to the address that was submitted. */
export function startAnswered(site: Crawl): boolean {
  return siteIndex(site).start?.outcome.status != null;
}

/** The start page is there to be looked at. */
export function hasStartPage(site: Crawl): boolean {
  const { start } = siteIndex(site);
  return start !== null && contentPage(start);
}

/** Not a site on the auditor's own machine. */
export function publicSite(site: Crawl): boolean {
  return !isLocalHost(new URL(site.discovery.origin).hostname);
}

export function httpsSite(site: Crawl): boolean {
  return isHttps(site.discovery.origin);
}

/** robots.txt was answered with 2xx and holds something. */
export function hasRobotsText(site: Crawl): boolean {
  const { robots } = site.discovery;
  return robots.verdict === 'rules' && robots.text.trim() !== '' && !robots.looksLikeHtml;
}

/** At least one sitemap could be read. */
export function hasSitemap(site: Crawl): boolean {
  return site.discovery.sitemaps.some((sitemap) => sitemap.kind !== 'invalid');
}

/** Two pages or more, so that they can be compared. */
export function severalPages(site: Crawl): boolean {
  return siteIndex(site).htmlPages.length > 1;
}

/** The crawl saw all that it knew of. */
export function wholeCrawl(site: Crawl): boolean {
  return site.coverage.stop === 'complete';
}
