/** What the crawl knows of the URLs that sitemaps list. */
import type { Crawl } from '../../crawl/site.ts';
import { type Answer, siteIndex } from './siteIndex.ts';

export type ListedPage = { readonly loc: string; readonly answer: Answer };

/** Those that were asked for: a sample on large sites. */
export function listedPages(site: Crawl): readonly ListedPage[] {
  const { answerOf, inSitemaps } = siteIndex(site);
  const pages: ListedPage[] = [];
  for (const loc of inSitemaps) {
    const answer = answerOf(loc);
    if (answer !== null) pages.push({ loc, answer });
  }
  return pages;
}

/** Every URL that sitemaps list was asked for, or is forbidden to crawlers. */
export function areListedKnown(site: Crawl): boolean {
  const { inSitemaps, isKnown } = siteIndex(site);
  return [...inSitemaps].every(isKnown) && areListsWhole(site);
}

/** No sitemap was too long to be kept whole. */
export function areListsWhole(site: Crawl): boolean {
  return site.discovery.sitemaps.every((sitemap) => !sitemap.outcome.truncated && sitemap.urlCount <= sitemap.urls.length);
}
