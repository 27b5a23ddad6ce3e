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
  gain: 'Search engines hear about new and changed pages sooner.',
  timeToResult: '1-3 weeks',
  risk: 'Your site has no XML sitemap that we could find. Search engines have to find every page by links alone, so new and poorly linked pages take longer.',
  steps: [
    'Turn on the XML sitemap in your CMS or SEO plugin, or have your build tool generate one, with every page that should be found.',
    'Add the line `Sitemap: YOUR SITEMAP ADDRESS` with the full URL to robots.txt, in your SEO plugin’s settings or your web host’s file manager. If you can’t do either yourself, send this step to your host’s support team.',
    'Submit the URL under Sitemaps in Google Search Console and make sure its status is “Success”.',
  ],
  // No code is written: a file written by hand is out of date with the next page, and would lack its dates.
  example: {
    before: null,
    after:
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>YOUR PAGE ADDRESS</loc></url>\n</urlset>',
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
