/** The links of a page that lead to another page, by whether they stay on the site. */
import type { CrawledPage } from '../crawl/site.ts';
import type { LinkFact } from '../facts/pageFacts.ts';

export type PageLink = LinkFact & { readonly url: string };

export function internalLinks(page: CrawledPage): readonly PageLink[] {
  return (page.facts?.links ?? []).filter((link): link is PageLink => link.url !== null && link.internal);
}

export function externalLinks(page: CrawledPage): readonly PageLink[] {
  return (page.facts?.links ?? []).filter((link): link is PageLink => link.url !== null && !link.internal);
}
