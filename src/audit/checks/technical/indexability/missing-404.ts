import { everySite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const missing404 = siteCheck({
  id: 'missing-404',
  title: 'Unknown URLs don’t return 404',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Mistyped and outdated URLs stay out of search, and broken links come to light.',
  timeToResult: '2-4 weeks',
  risk: 'A URL that doesn’t exist shows a normal page or redirects to another one instead of returning an error. Search engines may index such URLs, and broken links go unnoticed.',
  steps: [
    'In your CMS, a redirect plugin, your web host’s control panel, or the server’s configuration, find the setting that answers unknown URLs with a normal page or redirects them to the home page, and turn it off.',
    'Don’t remove the rule that hands all requests to your CMS or app, such as index.php, because the site needs it. Set the 404 status for unknown paths in the CMS or app itself.',
    'Show an error page with links or a search field that helps visitors find their way.',
    'If you can’t change any of these yourself, send these steps to your host’s support team.',
    'Open the Network tab in your browser’s developer tools, open a made-up URL, click its entry, and make sure its status is 404.',
  ],
  example: { before: 'HTTP/1.1 200 OK', after: 'HTTP/1.1 404 Not Found' },
  tags: ['status', '404'],
  source: 'SiteOne Crawler src/analysis/page404_analyzer.rs',
  appliesTo: everySite,
  gathered: (site) => site.discovery.probes.missingPage !== null && site.discovery.probes.missingPage.status !== null,
  run: (site) => {
    const probe = site.discovery.probes.missingPage;
    if (probe === null || probe.status === null || probe.status === 404 || probe.status === 410) return [];
    const home = probe.hops.length > 0 && pathOf(probe.url) === '/';
    if (!home && (probe.status < 200 || probe.status > 299)) return [];
    const what = home ? 'redirects to the home page' : `answers with status ${probe.status}`;
    return [
      {
        // The probed address differs in every audit, so the evidence uses the origin to keep the finding's id stable.
        evidence: {
          url: `${site.discovery.origin}/`,
          place: 'status of an unknown address',
          value: `${probe.status} ${pathOf(probe.requestedUrl)}`,
        },
        message: `An address that cannot exist ${what}; it should answer 404.`,
      },
    ];
  },
});
