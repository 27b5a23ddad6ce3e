import type { Crawl, FetchOutcome } from '../../../crawl/site.ts';
import { httpsSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';

export const noHttp2 = siteCheck({
  id: 'no-http2',
  title: 'Server speaks only HTTP/1.1',
  category: 'technical',
  group: 'performance',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Parallel loading without changes to the site.',
  timeToResult: 'immediate',
  risk: 'Files queue behind one another.',
  steps: ['Enable HTTP/2 in the server or CDN.'],
  example: { before: null, after: 'listen 443 ssl; http2 on;' },
  tags: ['speed', 'server'],
  source: 'Lighthouse: modern-http-insight',
  appliesTo: httpsSite,
  gathered: (site) => startOutcome(site) !== null,
  run: (site) => {
    const outcome = startOutcome(site);
    if (outcome === null || outcome.httpVersion.startsWith('2') || /\bh[23]\b/.test(header(outcome, 'alt-svc') ?? ''))
      return [];
    return [
      {
        evidence: { url: outcome.url, place: 'protocol', value: `HTTP/${outcome.httpVersion}` },
        message: `${new URL(outcome.url).host} offers only HTTP/${outcome.httpVersion}: neither HTTP/2 in the handshake nor HTTP/3 in Alt-Svc.`,
      },
    ];
  },
});

/** The start page's answer, if there was one. */
function startOutcome(site: Crawl): FetchOutcome | null {
  const outcome = siteIndex(site).start?.outcome;
  return outcome === undefined || outcome.status === null || outcome.httpVersion === '' ? null : outcome;
}
