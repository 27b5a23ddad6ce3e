import { withoutTracking } from '../../../crawl/url.ts';
import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalMissing = pageCheck({
  id: 'canonical-missing',
  title: 'Page has no canonical address',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Tracking and filter variants stop competing with the main page.',
  timeToResult: '2-4 weeks',
  risk: 'Search engines must guess which variant is the original.',
  steps: ['Add a self-referencing canonical to every indexable page.'],
  example: { before: null, after: '<link rel="canonical" href="https://example.com/page">' },
  tags: ['canonical'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  hint: true,
  appliesTo: indexableContent,
  run: (page) => {
    if (canonicalsOf(page).length > 0) return [];
    return [
      {
        evidence: seen(page, 'head', 'no link[rel=canonical]'),
        message: 'The page names no canonical address.',
        snippet: canonicalSet(page, null, withoutTracking(page.outcome.url)),
      },
    ];
  },
});
