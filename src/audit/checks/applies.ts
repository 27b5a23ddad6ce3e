/** Shared predicates for when a check applies, so that related checks never contradict each other. */
import { isPart } from '../../model/crawlSettings.ts';
import { isAllowed } from '../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import { isFilledByScript } from '../facts/appShell.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { isInContent } from '../facts/reading.ts';
import { isRedirectStub } from '../facts/redirectStub.ts';
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

/** The crawler requested it. */
export function asked(page: Page): boolean {
  return !page.robotsBlocked;
}

/** Got an HTTP answer. */
export function answered(page: Page): boolean {
  return asked(page) && page.outcome.status !== null;
}

/** Meant to be a page: linked files that turn out to be something else are not judged as pages. */
export function isPageAddress(page: Page): boolean {
  const type = header(page.outcome, 'content-type') ?? 'text/html';
  return htmlPage(page) || page.robotsBlocked || /html/i.test(type) || (page.outcome.status ?? 500) >= 400;
}

/** The answer was an HTML page. */
export function htmlPage(page: Page): page is HtmlPage {
  return page.facts !== null;
}

export function httpsPage(page: Page): boolean {
  return htmlPage(page) && isHttps(page.outcome.url);
}

/** A page that visitors see: it does not send them on at once. */
export function seenPage(page: Page): page is HtmlPage {
  return htmlPage(page) && !isRedirectStub(page.facts);
}

/** A page whose content can be judged. */
export function contentPage(page: Page): page is HtmlPage {
  return seenPage(page) && !isFilledByScript(page.facts);
}

/** Caches an answer per page and crawl, because many checks ask for it. */
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

/** Google may index it. */
export function isIndexable(page: Page, site: Crawl): page is HtmlPage {
  return mayBeListed(page, site);
}

export function indexableContent(page: Page, site: Crawl): boolean {
  return contentPage(page) && isIndexable(page, site);
}

/** Indexable and its own canonical. */
export function isOriginal(page: Page, site: Crawl): page is HtmlPage {
  return isIndexable(page, site) && isSelfCanonical(page);
}

export function titled(page: Page): boolean {
  return contentPage(page) && page.facts.titles.some(({ inHead, text }) => inHead && text !== '');
}

export function described(page: Page): boolean {
  return (
    contentPage(page) && page.facts.metas.some(({ name, content }) => name === 'description' && content.trim() !== '')
  );
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

/** Excludes pages that are naturally short: contact, login, cart, legal notice, listings; and source code. */
export const isTextPage = oncePerPage((page, site) => {
  const { pathname, search } = new URL(page.outcome.url);
  return (
    indexableContent(page, site) &&
    !SHORT_BY_NATURE.test(pathname + search) &&
    htmlPage(page) &&
    !isListing(page.facts) &&
    !isCode(page.facts)
  );
});

/** A listing of source code is no prose: more than half of its words. */
function isCode({ codeWords = 0, wordCount }: PageFacts): boolean {
  return codeWords > wordCount / 2;
}

/** A section index: most of its words are links. The start page is expected to have more text. */
export function isListing(facts: PageFacts): boolean {
  return new URL(facts.url).pathname !== '/' && isMostlyLinks(facts);
}

/** A table of contents, whatever its address. */
export function isMostlyLinks({ links, totals, wordCount }: PageFacts): boolean {
  if (wordCount === 0) return false;
  const listed = links.filter((link) => isInContent(link) && link.internal);
  if (listed.length < THRESHOLDS.listingLinks) return false;
  // On a long list, extrapolate from the links that were kept.
  const words = (listed.reduce((sum, { text }) => sum + countWords(text), 0) * totals.links) / links.length;
  return words > wordCount * THRESHOLDS.listingShare;
}

/** A post or news story, recognized by its markup or by its section of the site. */
export function isArticle(page: Page, site: Crawl): page is HtmlPage {
  if (!contentPage(page) || !isIndexable(page, site)) return false;
  const { facts } = page;
  if (
    namesType(facts, 'Article') ||
    facts.properties.some(({ name, content }) => name === 'og:type' && content.trim().toLowerCase() === 'article')
  )
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

/** An informational page of some length: not the start page, a product, a manual or a naturally short page. */
export function isInformational(page: Page, site: Crawl, moreThan: number): boolean {
  return (
    isTextPage(page, site) &&
    htmlPage(page) &&
    proseWords(page.facts) > moreThan &&
    !isManual(page) &&
    !isStartPage(page) &&
    !sells(page)
  );
}

/** Words outside code. */
export function proseWords({ wordCount, codeWords = 0 }: PageFacts): number {
  return wordCount - codeWords;
}

/** Reference documentation: it is a source itself, and its headings are not expected to be questions. */
function isManual({ facts }: HtmlPage): boolean {
  return facts.counts.listings >= THRESHOLDS.manualListings || namesType(facts, 'TechArticle');
}

/** A product page for a single item; a list of products, each with its own button, is none. */
export function isProduct(page: Page): page is HtmlPage {
  return sells(page) && (isCalledProduct(page) || page.facts.commerce.manyButtons !== true);
}

/** A table of plans has prices and buttons, too. */
const PRICE_LIST =
  /\/(?:pricing|plans?|prices?|preise|tarife?|tarifs|precios|planes|prezzi|priser|ceny|cennik)(?:[/.]|$)/i;

/** Calls itself a product, or has a price and a button to buy; tickets of an event are no product. */
function sells(page: Page): page is HtmlPage {
  if (!contentPage(page)) return false;
  if (isCalledProduct(page)) return true;
  const { commerce } = page.facts;
  return (
    commerce.price &&
    commerce.buyButton &&
    !PRICE_LIST.test(new URL(page.outcome.url).pathname) &&
    !namesType(page.facts, 'Event')
  );
}

function isCalledProduct({ facts }: HtmlPage): boolean {
  const ogProduct = facts.properties.some(
    ({ name, content }) => name === 'og:type' && /^(?:og:)?product(?:\.item)?$/.test(content.trim().toLowerCase()),
  );
  return ogProduct || namesType(facts, 'Product');
}

/** Two or more levels below the start page. */
export function isDeepInTree(page: Page, site: Crawl): boolean {
  if (!indexableContent(page, site) || isStartPage(page)) return false;
  const segments = new URL(page.outcome.url).pathname.split('/').filter(Boolean);
  return segments.length - (/^index\.\w{2,5}$/.test(segments.at(-1) ?? '') ? 1 : 0) >= 2;
}

export function everySite(): boolean {
  return true;
}

/** All of the document was read and kept. Otherwise nothing can be reported as missing. */
export function isComplete(page: Page): boolean {
  return !page.outcome.truncated && page.facts?.partial !== true && (page.facts?.xmlError ?? null) === null;
}

export function isStartPageComplete(site: Crawl): boolean {
  const { start } = siteIndex(site);
  return start !== null && isComplete(start);
}

/** No page was truncated. Otherwise nothing can be reported as missing from the site. */
export function arePagesComplete(site: Crawl): boolean {
  return siteIndex(site).htmlPages.every(isComplete);
}

/** The submitted address got an answer. */
export function startAnswered(site: Crawl): boolean {
  return siteIndex(site).start?.outcome.status != null;
}

/** The start page has content to check. */
export function hasStartPage(site: Crawl): boolean {
  const { start } = siteIndex(site);
  return start !== null && contentPage(start);
}

/** Not a site on the local machine. */
export function publicSite(site: Crawl): boolean {
  return !isLocalHost(new URL(site.discovery.origin).hostname);
}

export function httpsSite(site: Crawl): boolean {
  return isHttps(site.discovery.origin);
}

/** robots.txt answered 2xx and is not empty. */
export function hasRobotsText(site: Crawl): boolean {
  const { robots } = site.discovery;
  return robots.verdict === 'rules' && robots.text.trim() !== '' && !robots.looksLikeHtml;
}

/** At least one sitemap could be read. */
export function hasSitemap(site: Crawl): boolean {
  return site.discovery.sitemaps.some((sitemap) => sitemap.kind !== 'invalid');
}

/** At least two pages, so that they can be compared. */
export function severalPages(site: Crawl): boolean {
  return siteIndex(site).htmlPages.length > 1;
}

/** The crawl covered every page of the site that it discovered; none was turned down for being asked too often. */
export function wholeCrawl(site: Crawl): boolean {
  const { stop, settings } = site.coverage;
  return stop === 'complete' && !isPart(settings) && site.pages.every(({ outcome }) => outcome.status !== 429);
}
