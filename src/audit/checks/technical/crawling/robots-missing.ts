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
  gain: 'You have one place to guide crawlers and announce your sitemap.',
  timeToResult: '1-2 weeks',
  risk: 'Your site has no robots.txt, so crawlers treat everything as open and don’t learn where your sitemap is.',
  steps: [
    'Create a plain text file named robots.txt with the lines `User-agent: *`, `Disallow:`, and `Sitemap: YOUR SITEMAP ADDRESS`. Leave nothing after `Disallow:`, because `Disallow: /` would block the whole site.',
    'Upload it to the root folder of the site with your web host’s file manager, or create it in your SEO plugin’s settings. If you can’t do either yourself, send this step to your host’s support team.',
    'Open /robots.txt on your site and make sure your browser shows these lines.',
  ],
  example: { before: null, after: 'User-agent: *\nDisallow:\n\nSitemap: YOUR SITEMAP ADDRESS' },
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
