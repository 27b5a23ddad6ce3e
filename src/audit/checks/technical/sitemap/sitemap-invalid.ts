import type { Crawl, SitemapFile } from '../../../crawl/site.ts';
import { siteCheck } from '../../check.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const sitemapInvalid = siteCheck({
  id: 'sitemap-invalid',
  title: 'Sitemap can’t be read',
  category: 'technical',
  group: 'sitemap',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search engines can read your list of pages.',
  timeToResult: '1-2 weeks',
  risk: 'Search engines reject the whole file, so none of its entries count.',
  steps: [
    'Open the sitemap in a browser. It should be an XML file, not an HTML page, and the browser shows where the XML breaks.',
    'Escape special characters in URLs, especially ampersands, as the example shows.',
    'Use urlset or sitemapindex as the outermost element, with the namespace http://www.sitemaps.org/schemas/sitemap/0.9.',
  ],
  example: {
    before: '<loc>https://YOUR HOST/YOUR PATH?a=1&b=2</loc>',
    after: '<loc>https://YOUR HOST/YOUR PATH?a=1&amp;b=2</loc>',
  },
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  appliesTo: (site) => foundSitemaps(site).length > 0,
  run: (site) =>
    foundSitemaps(site)
      .filter((sitemap) => sitemap.kind === 'invalid')
      .map((sitemap) => ({
        evidence: { url: sitemap.url, place: 'body', value: sitemap.error ?? 'invalid' },
        message: `${pathOf(sitemap.url)} cannot be read as a sitemap: ${(sitemap.error ?? 'it is neither urlset nor sitemapindex').replace(/\.$/, '')}.`,
      })),
});

/** Sitemaps that answered 2xx; a guessed address with no sitemap does not count. */
function foundSitemaps(site: Crawl): readonly SitemapFile[] {
  return site.discovery.sitemaps.filter(
    ({ outcome }) => outcome.status !== null && outcome.status >= 200 && outcome.status < 300,
  );
}
