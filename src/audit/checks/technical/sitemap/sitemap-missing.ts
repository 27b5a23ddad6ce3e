import { everySite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const sitemapMissing = siteCheck({
  id: 'sitemap-missing',
  title: 'No XML sitemap found',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'New and changed pages get indexed days earlier.',
  timeToResult: '1-3 weeks',
  risk: 'Search engines must find every page by links alone.',
  steps: ['Generate a sitemap and name it in robots.txt.'],
  example: {
    before: null,
    after:
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n <url><loc>https://example.com/</loc><lastmod>2026-01-15</lastmod></url>\n</urlset>',
  },
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  looksIn: ['robots.txt', '/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml'],
  appliesTo: everySite,
  gathered: (site) => siteIndex(site).start?.outcome.status != null && site.discovery.outOfTime !== true,
  run: (site) => {
    const { sitemaps, origin } = site.discovery;
    if (
      sitemaps.some(
        (sitemap) => sitemap.outcome.status !== null && sitemap.outcome.status >= 200 && sitemap.outcome.status < 300,
      )
    )
      return [];
    const answers = sitemaps.map(
      (sitemap) => `${sitemap.url}: ${sitemap.outcome.status ?? sitemap.outcome.failure ?? 'no answer'}`,
    );
    return [
      {
        evidence: { url: `${origin}/sitemap.xml`, place: 'status', value: answers.join(', ') || 'not found' },
        message: 'No sitemap is named in robots.txt or answers at the usual addresses.',
      },
    ];
  },
});
