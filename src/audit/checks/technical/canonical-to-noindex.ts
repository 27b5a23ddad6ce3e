import { isIndexable } from '../applies.ts';
import { canonicalTarget, hasForeignCanonical } from '../canonicals.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';

export const canonicalToNoindex: PageCheck = {
  id: 'canonical-to-noindex',
  scope: 'page',
  title: 'Canonical points to a page that may not be indexed',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  businessValue: 'Avoids losing both pages.',
  timeToResult: '2-4 weeks',
  why: 'Neither the page nor its original can be listed.',
  fix: 'Choose an indexable canonical.',
  codeExample: null,
  tags: ['canonical', 'noindex'],
  source: 'SEOnaut internal/issues/errors/errors.go ErrorCanonicalizedToNonIndexable',
  lighthouse: null,
  hint: false,
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => canonicalTarget(page, site)?.answer.page?.facts != null,
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    const original = target?.answer.page ?? null;
    if (target === null || original === null || isIndexable(original, site)) return [];
    return [
      {
        evidence: seen(page, target.canonical.place, target.canonical.href),
        message: `The canonical address ${target.canonical.href} is a page that search engines may not list.`,
      },
    ];
  },
};
