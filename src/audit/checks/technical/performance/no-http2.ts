import type { Crawl, FetchOutcome } from '../../../crawl/site.ts';
import { httpsSite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';

export const noHttp2 = siteCheck({
  id: 'no-http2',
  title: 'Server supports only HTTP/1.1',
  category: 'technical',
  group: 'performance',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Files load side by side over one connection, without any change to the pages.',
  timeToResult: 'immediate',
  risk: 'Browsers can load only a few files at a time from the server, so the others wait in line.',
  steps: [
    'Turn on HTTP/2 in the web server, the CDN or your hosting panel, and HTTP/3 where it is offered.',
    'On nginx use the lines in the example, and on Apache load mod_http2 and set Protocols h2 http/1.1.',
    'Check in the Protocol column of the browser’s Network panel that the page comes over h2 or h3.',
  ],
  example: { before: 'listen 443 ssl;', after: '# nginx 1.25.1 or later\nlisten 443 ssl;\nhttp2 on;' },
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
