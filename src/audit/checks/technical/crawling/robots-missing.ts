import { everySite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { asFile } from '../../lookups/snippets.ts';

export const robotsMissing = siteCheck({
  id: 'robots-missing',
  title: 'No robots.txt file',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'One place to steer crawlers and announce the sitemap.',
  timeToResult: '1-2 weeks',
  risk: 'Crawlers get no guidance and no sitemap address.',
  steps: ['Publish a small robots.txt with the sitemap line.'],
  example: { before: null, after: 'User-agent: *\nDisallow:\n\nSitemap: https://example.com/sitemap.xml' },
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  hint: true,
  looksIn: ['/robots.txt'],
  appliesTo: everySite,
  gathered: (site) => site.discovery.robots.outcome.status !== null,
  run: (site) => {
    const { status } = site.discovery.robots.outcome;
    if (status !== 404 && status !== 410) return [];
    const sitemap = site.discovery.sitemaps.find(({ kind }) => kind !== 'invalid');
    const line = sitemap === undefined ? '' : `\n\nSitemap: ${sitemap.url}`;
    return [
      {
        evidence: seenInRobots(site, 'status', String(status)),
        message: `/robots.txt answers with status ${status}.`,
        snippet: asFile('/robots.txt', `User-agent: *\nDisallow:${line}`),
      },
    ];
  },
});
