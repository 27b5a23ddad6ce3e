import type { Crawl, SitemapFile } from '../../../crawl/site.ts';
import { siteCheck } from '../../check.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const sitemapInvalid = siteCheck({
  id: 'sitemap-invalid',
  title: 'Sitemap is not valid XML',
  category: 'technical',
  group: 'sitemap',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The list of your pages becomes readable.',
  timeToResult: '1-2 weeks',
  risk: 'Crawlers reject the whole file.',
  steps: ['Escape special characters and use the sitemap namespace.'],
  example: { before: null, after: '<loc>https://example.com/?a=1&amp;b=2</loc>' },
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
