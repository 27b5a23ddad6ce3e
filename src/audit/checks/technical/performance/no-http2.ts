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
  risk: 'Your server supports only HTTP/1.1. Browsers can load only a few files at a time over it, so the others wait in line.',
  steps: [
    'Turn on HTTP/2 in your web host’s control panel, your CDN, or the server’s configuration, and HTTP/3 where it’s offered. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If you run nginx, add `http2 on;` to the server block. If you run Apache, load `mod_http2` and set `Protocols h2 http/1.1`. Test the configuration before you reload the server.',
    'Open the Network tab in your browser’s developer tools, show the Protocol column, reload the page, and make sure it says h2 or h3.',
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
