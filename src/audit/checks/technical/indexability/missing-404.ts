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
  risk: 'A URL that doesn’t exist shows a normal page or leads to the home page. Search engines may index such URLs, and broken links go unnoticed.',
  steps: [
    'Make the server, CMS, or framework return status 404 for every path it doesn’t know, with a page that helps visitors find their way.',
    'Remove rules that send unknown paths to the home page or to a catch-all page.',
    'To test it, open a made-up URL and look at its status in the Network tab of the browser’s developer tools.',
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
    const what = home ? 'redirects to the start page' : `answers with status ${probe.status}`;
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
