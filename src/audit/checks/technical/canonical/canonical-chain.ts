import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf, canonicalTarget, hasForeignCanonical, isSelfCanonical } from '../../lookups/canonicals.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalChain = pageCheck({
  id: 'canonical-chain',
  title: 'Canonical points to a page with another canonical',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 20,
  gain: 'Duplicate groups fold to the page you want.',
  timeToResult: '2-6 weeks',
  risk: 'Chains and loops make the signal unreliable.',
  steps: ['Point all variants straight at the final original.'],
  example: null,
  tags: ['canonical'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => canonicalTarget(page, site)?.answer.page?.facts != null,
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    const original = target?.answer.page ?? null;
    if (target === null || original === null || isSelfCanonical(original)) return [];
    const next = canonicalOf(original)?.url ?? null;
    if (next === null) return [];
    return [
      {
        evidence: seen(page, target.canonical.place, `${page.url} → ${target.canonical.href} → ${next}`),
        message: `The canonical address ${target.canonical.href} names ${next} as its own original.`,
        snippet: canonicalSet(page, target.canonical.place, next),
      },
    ];
  },
});
