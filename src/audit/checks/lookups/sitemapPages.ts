/** What the crawl knows of the URLs that sitemaps list. */
import type { Crawl } from '../../crawl/site.ts';
import { type ListedPage, siteIndex } from './siteIndex.ts';

/** Those that were asked for: a sample on large sites. */
export function listedPages(site: Crawl): readonly ListedPage[] {
  return siteIndex(site).listed;
}

/** Every URL that sitemaps list was asked for, or is forbidden to crawlers. */
export function areListedKnown(site: Crawl): boolean {
  return siteIndex(site).areListedKnown && areListsWhole(site);
}

/** No sitemap was too long to be kept whole. */
export function areListsWhole(site: Crawl): boolean {
  return site.discovery.sitemaps.every((sitemap) => !sitemap.outcome.truncated && sitemap.urlCount <= sitemap.urls.length);
}
