/** The canonical URLs a page names in its head and its Link header. */
import { headerLinks } from '../../crawl/linkHeader.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
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
    .map(({ href, url }) => ({ href, url, place: 'header link' }));
  return [...inHead, ...inHeader];
}

/** Of each page, since every page may name any other as its version or original. */
const known = new WeakMap<CrawledPage, { readonly only: NamedCanonical | null; readonly isSelf: boolean }>();

function judged(page: CrawledPage): { readonly only: NamedCanonical | null; readonly isSelf: boolean } {
  let judgment = known.get(page);
  if (judgment === undefined) {
    const only = onlyOf(page);
    const isSelf =
      only === null || only.url === null
        ? canonicalsOf(page).every(({ url }) => url === null)
        : sameAddress(only.url, page.outcome.url);
    judgment = { only, isSelf };
    known.set(page, judgment);
  }
  return judgment;
}

function onlyOf(page: CrawledPage): NamedCanonical | null {
  const named = canonicalsOf(page).filter((canonical) => canonical.url !== null);
  const [first] = named;
  return first !== undefined && named.every((canonical) => canonical.url === first.url) ? first : null;
}

/** The page's only canonical URL; null if it names none or several. */
export function canonicalOf(page: CrawledPage): NamedCanonical | null {
  return judged(page).only;
}

/** Names itself or nothing as canonical; a value that is not a web address counts as nothing. */
export function isSelfCanonical(page: CrawledPage): boolean {
  return judged(page).isSelf;
}

export function sameAddress(a: string, b: string): boolean {
  return a === b || addressKey(a) === addressKey(b);
}

/** Names a single other address as canonical. */
export function hasForeignCanonical(page: CrawledPage): boolean {
  return page.facts !== null && canonicalOf(page) !== null && !isSelfCanonical(page);
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
