/** The language versions that pages name, with their answers. */
import type { Crawl } from '../../../crawl/site.ts';
import type { PageFacts } from '../../../facts/pageFacts.ts';
import type { HtmlPage } from '../../check.ts';
import { sameAddress } from '../canonicals.ts';
import { type Answer, addressKey, siteIndex } from '../siteIndex.ts';
import { hreflangsOf } from './hreflangs.ts';

export type Version = { readonly page: HtmlPage; readonly hreflang: string; readonly answer: Answer };

/** Both pages name each other as versions: for other languages, or other regions of one language. */
export function areVersions(a: HtmlPage, b: HtmlPage): boolean {
  return names(a, b) && names(b, a);
}

const named = new WeakMap<PageFacts, ReadonlySet<string>>();

/** Thousands of pages may name hundreds each: the addresses of a page are gathered once. */
function names(page: HtmlPage, other: HtmlPage): boolean {
  let addresses = named.get(page.facts);
  if (addresses === undefined) {
    addresses = new Set(hreflangsOf(page).flatMap(({ url }) => (url === null ? [] : [addressKey(url)])));
    named.set(page.facts, addresses);
  }
  return addresses.has(addressKey(other.outcome.url));
}

/** The fetched versions other than the page itself. */
export function versionsAsked(page: HtmlPage, site: Crawl): Version[] {
  const { answerOf } = siteIndex(site);
  return hreflangsOf(page).flatMap(({ url, hreflang }) => {
    const answer = url === null || sameAddress(url, page.outcome.url) ? null : answerOf(url);
    return answer === null ? [] : [{ page, hreflang, answer }];
  });
}
