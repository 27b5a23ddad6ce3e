import { hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { count, kilobytes, plural } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const sitemapTooLarge = siteCheck({
  id: 'sitemap-too-large',
  title: 'Sitemap is over the size limit',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Search engines can read every entry.',
  timeToResult: '1-3 weeks',
  risk: 'Your sitemap is over the limit of 50,000 URLs or 50 MB. Search engines may reject the file or ignore the entries past the limit.',
  steps: [
    'In the SEO plugin, CMS, or script that builds the sitemap, split it into files with at most 50,000 URLs and 50 MB each, measured before compression.',
    'List the files in a sitemap index, a file like the example of this report. Most plugins write it on their own.',
    'In robots.txt, write `Sitemap: YOUR SITEMAP INDEX ADDRESS` in place of the old sitemap’s line, or at the end if there is none.',
    'Submit the index under Sitemaps in Google Search Console and make sure its status, and that of every file in it, is “Success”, which can take a few days.',
  ],
  example: {
    before: null,
    after:
      '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <sitemap><loc>YOUR FIRST SITEMAP</loc></sitemap>\n  <sitemap><loc>YOUR SECOND SITEMAP</loc></sitemap>\n</sitemapindex>',
  },
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  appliesTo: hasSitemap,
  run: (site) =>
    site.discovery.sitemaps
      .filter(
        (sitemap) =>
          sitemap.urlCount > THRESHOLDS.sitemapUrls ||
          sitemap.bytes > THRESHOLDS.sitemapBytes ||
          sitemap.outcome.truncated,
      )
      .map((sitemap) => ({
        evidence: {
          url: sitemap.url,
          place: 'size',
          value: `${count(sitemap.urlCount)} URLs, ${kilobytes(sitemap.bytes)}`,
        },
        message: `${pathOf(sitemap.url)} has ${plural(sitemap.urlCount, 'URL')} and ${sitemap.outcome.truncated ? 'more than ' : ''}${kilobytes(sitemap.bytes)}; the limits are ${count(THRESHOLDS.sitemapUrls)} and ${kilobytes(THRESHOLDS.sitemapBytes)}.`,
      })),
});
