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
  risk: 'Your robots.txt doesn’t say where your sitemap is, so search engines and AI crawlers that you haven’t submitted it to have to guess.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and add the line `Sitemap: YOUR SITEMAP ADDRESS` with the full URL, including https://.',
    'If you have several sitemaps, name the sitemap index or add a line for each.',
    'Open /robots.txt in your browser, open the URL from the `Sitemap` line, and make sure it shows your sitemap.',
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
