/** The language versions that pages name, with their answers. */
import type { Crawl } from '../../../crawl/site.ts';
import type { HtmlPage } from '../../check.ts';
import { sameAddress } from '../canonicals.ts';
import { type Answer, siteIndex } from '../siteIndex.ts';
import { hreflangsOf } from './hreflangs.ts';

export type Version = { readonly page: HtmlPage; readonly hreflang: string; readonly answer: Answer };

/** Both pages name each other as versions: for other languages, or other regions of one language. */
export function areVersions(a: HtmlPage, b: HtmlPage): boolean {
  return names(a, b) && names(b, a);
}

function names(page: HtmlPage, other: HtmlPage): boolean {
  return hreflangsOf(page).some(({ url }) => url !== null && sameAddress(url, other.outcome.url));
}

/** The fetched versions other than the page itself. */
export function versionsAsked(page: HtmlPage, site: Crawl): Version[] {
  const { answerOf } = siteIndex(site);
  return hreflangsOf(page).flatMap(({ url, hreflang }) => {
    const answer = url === null || sameAddress(url, page.outcome.url) ? null : answerOf(url);
    return answer === null ? [] : [{ page, hreflang, answer }];
  });
}
