/** What the crawl knows about URLs listed in sitemaps. */
import type { Crawl } from '../../crawl/site.ts';
import { type ListedPage, siteIndex } from './siteIndex.ts';

/** Listed URLs that were fetched: a sample on large sites. */
export function listedPages(site: Crawl): readonly ListedPage[] {
  return siteIndex(site).listed;
}

/** Every listed URL was fetched, or is disallowed for crawlers. */
export function areListedKnown(site: Crawl): boolean {
  return siteIndex(site).areListedKnown && areListsComplete(site);
}

/** No sitemap was truncated. */
export function areListsComplete(site: Crawl): boolean {
  return site.discovery.sitemaps.every(
    (sitemap) => !sitemap.outcome.truncated && sitemap.urlCount <= sitemap.urls.length,
  );
}
