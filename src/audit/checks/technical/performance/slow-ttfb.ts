import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const slowTtfb = pageCheck({
  id: 'slow-ttfb',
  title: 'Server responds slowly',
  category: 'technical',
  group: 'performance',
  impact: 'high',
  difficulty: 'hard',
  minutes: 240,
  gain: 'Pages start to load sooner, and search engines can crawl more of them.',
  timeToResult: '2-6 weeks',
  risk: 'The server takes long to send the first byte of this page. Nothing can show before that, and Google crawls a slow server less. The time was measured from where the audit ran, so distance plays a part.',
  steps: [
    'Find out where the time goes: open the page from a network near the server, and turn off plugins one by one on a copy of the site. If neither makes it faster, ask your host’s support team to look for slow queries or an overloaded server.',
    'Turn on page caching for pages that are the same for everyone, in a cache plugin, your web host’s control panel, or your CDN. `Cache-Control: public, s-maxage=300` lets a CDN keep a page for five minutes. Never cache carts, accounts, or other personal pages this way.',
    'Replace slow plugins, speed up slow queries, and move to a faster hosting plan if the server itself is overloaded.',
    'Open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure “Waiting for server response” under Timing is less than 800 ms.',
  ],
  example: { before: null, after: 'Cache-Control: public, s-maxage=300, stale-while-revalidate=600' },
  tags: ['speed', 'server'],
  source: 'web.dev: Time to First Byte (https://web.dev/articles/ttfb)',
  appliesTo: htmlPage,
  gathered: (page, site) => bestOf(page, site) !== null,
  run: (page, site) => {
    const ttfbMs = bestOf(page, site) ?? 0;
    if (ttfbMs <= THRESHOLDS.ttfbMs) return [];
    const slow = ttfbMs > THRESHOLDS.ttfbSlowMs;
    return [
      {
        evidence: seen(page, 'time to first byte', `${count(Math.round(ttfbMs))} ms`),
        message: `The first byte came after ${count(Math.round(ttfbMs))} ms, the better of two times; ${THRESHOLDS.ttfbMs} ms is the limit for a good visit.`,
        impact: slow ? 'high' : 'medium',
      },
    ];
  },
});

/** The better of two measurements, ms; null if a slow page was not measured again. */
function bestOf({ outcome }: CrawledPage, site: Crawl): number | null {
  if (outcome.ttfbMs <= THRESHOLDS.ttfbMs) return outcome.ttfbMs;
  const again = siteIndex(site).fileOf('slow-page', outcome.url)?.outcome;
  return again === undefined || again.status === null ? null : Math.min(outcome.ttfbMs, again.ttfbMs);
}
