import { isRefusal } from '../../../crawl/outcome.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalTarget, hasForeignCanonical } from '../../lookups/canonicals.ts';
import { isDistinct } from '../../lookups/siteFacts.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalToError = pageCheck({
  id: 'canonical-to-error',
  title: 'Canonical points to an error page',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Stops the page from disappearing with its broken original.',
  timeToResult: '1-3 weeks',
  risk: 'The page names a dead URL as its original.',
  steps: ['Fix the target or use a self-canonical.'],
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
        snippet: isDistinct(page, site) ? canonicalSet(page, target.canonical.place, page.outcome.url) : null,
      },
    ];
  },
});
