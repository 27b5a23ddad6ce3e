import { everySite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const missing404 = siteCheck({
  id: 'missing-404',
  title: 'Unknown URLs do not answer 404',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Keeps endless junk URLs out of the index.',
  timeToResult: '2-4 weeks',
  risk: 'Every mistyped URL becomes an indexable page.',
  steps: ['Configure the server or framework to answer 404 for unknown paths.'],
  example: { before: null, after: 'try_files $uri $uri/ =404;' },
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
