import { htmlPage } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { count, seen } from '../evidence.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const slowTtfb: PageCheck = {
  id: 'slow-ttfb',
  scope: 'page',
  title: 'Server answers slowly',
  category: 'technical',
  group: 'performance',
  impact: 'high',
  difficulty: 'hard',
  minutes: 240,
  businessValue: 'Faster pages keep more visitors and get crawled more.',
  timeToResult: '2-6 weeks',
  why: 'Everything else waits for the first byte.',
  fix: 'Cache HTML, speed up queries, use a CDN.',
  codeExample: 'Cache-Control: public, s-maxage=300, stale-while-revalidate=600',
  tags: ['speed', 'server'],
  source: 'web.dev TTFB thresholds (https://web.dev/articles/ttfb); SEOnaut internal/issues/errors/errors.go ErrorSlowTTFB',
  lighthouse: null,
  hint: false,
  appliesTo: htmlPage,
  run: (page) => {
    const { ttfbMs } = page.outcome;
    if (ttfbMs <= THRESHOLDS.ttfbMs) return [];
    const slow = ttfbMs > THRESHOLDS.ttfbSlowMs;
    return [
      {
        evidence: seen(page, 'time to first byte', `${count(Math.round(ttfbMs))} ms`),
        message: `The first byte came after ${count(Math.round(ttfbMs))} ms; ${THRESHOLDS.ttfbMs} ms is the limit for a good visit.`,
        impact: slow ? 'high' : 'medium',
      },
    ];
  },
};
