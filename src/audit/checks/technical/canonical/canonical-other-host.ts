import { siteHost } from '../../../crawl/url.ts';
import { hasCanonical } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { isDistinct } from '../../lookups/siteFacts.ts';
import { isStartPage } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherHost = pageCheck({
  id: 'canonical-other-host',
  title: 'Canonical points to another site',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'This site is listed, not another one.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines list the page of the other site in place of this one.',
  steps: ['Name the address of the page itself, unless it is a copy that is meant to stay unlisted.'],
  example: { before: null, after: '<link rel="canonical" href="https://example.com/blue-shoes">' },
  tags: ['canonical', 'host'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasCanonical,
  run: (page, site) => {
    const canonical = canonicalOf(page);
    if (canonical === null || canonical.url === null || siteHost(canonical.url) === siteHost(page.outcome.url))
      return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `The page names ${canonical.url}, on another site, as its original.`,
        snippet: isDistinct(page, site) ? canonicalSet(page, canonical.place, page.outcome.url) : null,
        // A syndicated text may name its source as the original, but a start page is never syndicated.
        impact: isStartPage(page) ? 'high' : 'medium',
      },
    ];
  },
});
