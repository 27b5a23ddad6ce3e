import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const slowTtfb = pageCheck({
  id: 'slow-ttfb',
  title: 'Server answers slowly',
  category: 'technical',
  group: 'performance',
  impact: 'high',
  difficulty: 'hard',
  minutes: 240,
  gain: 'Faster pages keep more visitors and get crawled more.',
  timeToResult: '2-6 weeks',
  risk: 'Everything else waits for the first byte.',
  steps: ['Cache HTML, speed up queries, use a CDN.'],
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
