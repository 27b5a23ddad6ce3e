import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalTarget, hasForeignCanonical } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalToRedirect = pageCheck({
  id: 'canonical-to-redirect',
  title: 'Canonical points to a redirect',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'A clean signal is followed sooner.',
  timeToResult: '2-4 weeks',
  risk: 'The named original is not a final page.',
  steps: ['Name the final address.'],
  example: null,
  tags: ['canonical', 'redirect'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => (canonicalTarget(page, site)?.answer.outcome.status ?? null) !== null,
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    if (target === null || target.answer.redirects === 0) return [];
    const end = target.answer.outcome.url;
    return [
      {
        evidence: seen(page, target.canonical.place, target.canonical.href),
        message: `The canonical address ${target.canonical.href} redirects to ${end}.`,
        snippet: canonicalSet(page, target.canonical.place, end),
      },
    ];
  },
});
