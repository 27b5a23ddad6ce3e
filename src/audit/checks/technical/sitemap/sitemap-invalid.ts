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
  risk: 'Your sitemap has an error that makes it unreadable. Search engines reject the whole file, so none of its entries count.',
  steps: [
    'Open the sitemap in your browser. It should be an XML file, not an HTML page, and your browser shows where the XML breaks.',
    'Correct the error in the SEO plugin, CMS, or script that builds the sitemap. A common cause is a special character in a URL: write `&amp;` instead of `&`.',
    'Make sure the outermost element is `<urlset>` or `<sitemapindex>`, with `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`.',
    'Submit the sitemap under Sitemaps in Google Search Console and make sure its status is “Success”.',
  ],
  // No code is written: the file is written by a program, which has to be corrected.
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
