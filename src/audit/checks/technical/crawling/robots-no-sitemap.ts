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
  gain: 'Every crawler that reads robots.txt finds your sitemap, and new pages with it.',
  timeToResult: '1-2 weeks',
  risk: 'Search engines and AI crawlers that you haven’t submitted the sitemap to have to guess where it is.',
  steps: [
    'Add a line to robots.txt with Sitemap: and the full URL of your sitemap, including https://.',
    'With several sitemaps, name the sitemap index or add a line for each.',
  ],
  example: { before: null, after: 'Sitemap: YOUR SITEMAP ADDRESS' },
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
