import type { FetchOutcome } from '../../../crawl/site.ts';
import { httpsSite, publicSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { isHttps } from '../../lookups/siteIndex.ts';

export const httpNotRedirected = siteCheck({
  id: 'http-not-redirected',
  title: 'HTTP version does not move to HTTPS',
  category: 'technical',
  group: 'https',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Protects visitors and keeps one version of the site in search.',
  timeToResult: '1-3 weeks',
  risk: 'Two copies of the site compete and one of them is insecure.',
  steps: ['Redirect all HTTP traffic to HTTPS with a 301.'],
  example: { before: null, after: 'server { listen 80; return 301 https://$host$request_uri; }' },
  tags: ['https', 'redirect'],
  source: 'Lighthouse: redirects-http',
  lighthouse: 'redirects-http',
  appliesTo: (site) => publicSite(site) && httpsSite(site),
  gathered: (site) => isAnswered(site.discovery.probes.httpTwin) || isClosed(site.discovery.probes.httpTwin),
  run: (site) => {
    const twin = site.discovery.probes.httpTwin;
    if (twin === null || twin.status === null || isHttps(twin.url)) return [];
    return [
      {
        evidence: { url: twin.requestedUrl, place: 'redirects', value: `${twin.status} ${twin.url}` },
        message: `${twin.requestedUrl} answers with status ${twin.status} instead of moving to https.`,
      },
    ];
  },
});

function isAnswered(outcome: FetchOutcome | null): boolean {
  return outcome !== null && outcome.status !== null;
}

/** With port 80 closed, there is no HTTP version. */
function isClosed(outcome: FetchOutcome | null): boolean {
  return outcome !== null && outcome.failure === 'refused';
}
