import { isRefusal } from '../../../crawl/outcome.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalTarget, hasForeignCanonical } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalToError = pageCheck({
  id: 'canonical-to-error',
  title: 'Canonical points to an error page',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The page can be indexed under a URL that works.',
  timeToResult: '1-3 weeks',
  risk: 'This page’s canonical names a URL that returns an error. Search engines may ignore the canonical, and at worst they index neither page.',
  steps: [
    'Open the canonical URL that this report shows. If a page should be there, restore or repair it so that it returns a 200 status.',
    'If the original has moved, change the canonical to its new URL in your SEO plugin’s settings or in the template.',
    'If this page is the original, change the canonical to the page’s own URL.',
    'Open the Network tab in your browser’s developer tools, open the URL that the page’s canonical now names, click its entry, and make sure its status is 200.',
  ],
  example: null,
  tags: ['canonical', 'broken'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => {
    const status = canonicalTarget(page, site)?.answer.outcome.status ?? null;
    return status !== null && !isRefusal(status);
  },
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    const status = target?.answer.outcome.status ?? null;
    if (target === null || status === null || status < 400) return [];
    return [
      {
        evidence: seen(page, target.canonical.place, `${target.canonical.href} (${status})`),
        message: `The canonical address ${target.canonical.href} answers with status ${status}.`,
        snippet: canonicalSet(page, site, target.canonical.place, page.outcome.url),
      },
    ];
  },
});
