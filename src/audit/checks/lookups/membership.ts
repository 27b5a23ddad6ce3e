/** Whether a site counts a page among its own: in its sitemap, and in its navigation. */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { areaOf } from '../../facts/reading.ts';
import { addressKey, siteIndex } from './siteIndex.ts';

/** A sitemap lists it, or the address that it answers at. */
export function isListed(page: CrawledPage, site: Crawl): boolean {
  const { listedKeys } = siteIndex(site);
  return listedKeys.has(addressKey(page.url)) || listedKeys.has(addressKey(page.outcome.url));
}

const navigations = new WeakMap<Crawl, ReadonlySet<string>>();

/** The start page's navigation or header links to it. */
export function isInNavigation(page: CrawledPage, site: Crawl): boolean {
  let linked = navigations.get(site);
  if (linked === undefined) {
    const links = siteIndex(site).start?.facts?.links ?? [];
    linked = new Set(
      links.flatMap((link) => {
        const area = areaOf(link);
        return link.url !== null && link.internal && (area === 'nav' || area === 'header')
          ? [addressKey(link.url)]
          : [];
      }),
    );
    navigations.set(site, linked);
  }
  return linked.has(addressKey(page.url));
}
