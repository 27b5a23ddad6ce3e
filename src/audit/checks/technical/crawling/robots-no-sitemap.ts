import { hasRobotsText, hasSitemap } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { inRobots } from '../../lookups/snippets.ts';

export const robotsNoSitemap = siteCheck({
  id: 'robots-no-sitemap',
  title: 'robots.txt does not name the sitemap',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'New pages are found sooner by all engines.',
  timeToResult: '1-2 weeks',
  risk: 'Engines without your console account do not know the sitemap.',
  steps: ['Add a Sitemap line with the full URL.'],
  example: { before: null, after: 'Sitemap: https://example.com/sitemap.xml' },
  tags: ['robots.txt', 'sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  looksIn: ['lines of robots.txt'],
  appliesTo: (site) => hasRobotsText(site) && hasSitemap(site),
  run: (site) => {
    const { robots, sitemaps } = site.discovery;
    if (robots.sitemaps.length > 0) return [];
    const found = sitemaps.find((sitemap) => sitemap.kind !== 'invalid')?.url ?? null;
    return [
      {
        evidence: seenInRobots(site, 'Sitemap', 'no line'),
        message: found === null ? 'robots.txt names no sitemap.' : `robots.txt does not name the sitemap ${found}.`,
        snippet: found === null ? null : inRobots(`Sitemap: ${found}`),
      },
    ];
  },
});
