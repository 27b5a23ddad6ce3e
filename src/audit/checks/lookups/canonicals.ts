/** The canonical URLs a page names in its head and its Link header. */
import { headerLinks } from '../../crawl/linkHeader.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { crawlUrl } from '../../crawl/url.ts';

import { type Answer, addressKey, siteIndex } from './siteIndex.ts';

export type NamedCanonical = {
  /** As written in the source. */
  readonly href: string;
  readonly url: string | null;
  readonly place: string;
};

/** The valid ones: canonicals in the body and empty ones do not count. */
export function canonicalsOf(page: CrawledPage): NamedCanonical[] {
  const inHead = (page.facts?.canonicals ?? [])
    .filter((canonical) => canonical.inHead && canonical.href.trim() !== '')
    .map(({ href, url }) => ({ href, url, place: 'head > link[rel=canonical]' }));
  const inHeader = headerLinks(page.outcome)
    .filter((link) => link.rel === 'canonical' && link.href !== '')
    .map(({ href }) => ({ href, url: crawlUrl(href, page.outcome.url), place: 'header link' }));
  return [...inHead, ...inHeader];
}

/** The page's only canonical URL; null if it names none or several. */
export function canonicalOf(page: CrawledPage): NamedCanonical | null {
  const named = canonicalsOf(page).filter((canonical) => canonical.url !== null);
  const [first] = named;
  return first !== undefined && named.every((canonical) => canonical.url === first.url) ? first : null;
}

/** Names itself or nothing as canonical; a value that is not a web address counts as nothing. */
export function isSelfCanonical(page: CrawledPage): boolean {
  const canonical = canonicalOf(page);
  if (canonical === null || canonical.url === null) return canonicalsOf(page).every(({ url }) => url === null);
  return sameAddress(canonical.url, page.outcome.url);
}

export function sameAddress(a: string, b: string): boolean {
  return a === b || addressKey(a) === addressKey(b);
}

/** Names a single other address as canonical. */
export function hasForeignCanonical(page: CrawledPage): boolean {
  const canonical = page.facts === null ? null : canonicalOf(page);
  return canonical !== null && canonical.url !== null && !sameAddress(canonical.url, page.outcome.url);
}

/** The other canonical address and its answer; null if it was not fetched. */
export function canonicalTarget(
  page: CrawledPage,
  site: Crawl,
): { readonly canonical: NamedCanonical; readonly answer: Answer } | null {
  const canonical = canonicalOf(page);
  const answer = canonical?.url == null ? null : siteIndex(site).answerOf(canonical.url);
  return canonical === null || answer === null ? null : { canonical, answer };
}
