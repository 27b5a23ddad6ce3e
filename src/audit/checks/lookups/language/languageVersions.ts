/** The language versions that pages name, with their answers. */
import type { Crawl } from '../../../crawl/site.ts';
import type { HtmlPage } from '../../check.ts';
import { sameAddress } from '../canonicals.ts';
import { type Answer, siteIndex } from '../siteIndex.ts';
import { hreflangsOf } from './hreflangs.ts';

export type Version = { readonly page: HtmlPage; readonly hreflang: string; readonly answer: Answer };

/** The fetched versions other than the page itself. */
export function versionsAsked(page: HtmlPage, site: Crawl): Version[] {
  const { answerOf } = siteIndex(site);
  return hreflangsOf(page).flatMap(({ url, hreflang }) => {
    const answer = url === null || sameAddress(url, page.outcome.url) ? null : answerOf(url);
    return answer === null ? [] : [{ page, hreflang, answer }];
  });
}
