import { withoutTracking } from '../../../crawl/url.ts';
import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalMissing = pageCheck({
  id: 'canonical-missing',
  title: 'Page has no canonical URL',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Links to every version of the page count toward the URL you choose.',
  timeToResult: '2-4 weeks',
  risk: 'Search engines decide for themselves which version of this page to index, which may be one with tracking or filter parameters.',
  steps: [
    'Add a canonical link to the head of every page that should be indexed, with the page’s own full URL and no tracking parameters.',
    'Use your CMS or SEO plugin for this if it can, so that new pages get a canonical too.',
  ],
  example: { before: null, after: '<link rel="canonical" href="YOUR PAGE ADDRESS">' },
  tags: ['canonical'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  hint: true,
  appliesTo: indexableContent,
  run: (page, site) => {
    if (canonicalsOf(page).length > 0) return [];
    return [
      {
        evidence: seen(page, 'head', 'no link[rel=canonical]'),
        message: 'The page names no canonical address.',
        snippet: canonicalSet(page, site, null, withoutTracking(page.outcome.url)),
      },
    ];
  },
});
