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
  gain: 'No page is cut from the list.',
  timeToResult: '1-3 weeks',
  risk: 'Entries past the limit are ignored.',
  steps: ['Split into several files under an index.'],
  example: null,
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
