import { hasCanonical } from '../../applies.ts';
import type { PageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { html } from '../../lookups/siteCode.ts';

export const canonicalToRoot: PageCheck = {
  id: 'canonical-to-root',
  scope: 'page',
  title: 'Inner page names the start page as canonical',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  businessValue: 'Brings wrongly folded pages back into search.',
  timeToResult: '2-4 weeks',
  why: 'The page tells search engines to show the start page instead of itself.',
  fix: 'Make the canonical point to the page itself.',
  codeExample: '<link rel="canonical" href="https://example.com/this-page">',
  tags: ['canonical'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  hint: false,
  appliesTo: hasCanonical,
  run: (page) => {
    const canonical = canonicalOf(page);
    if (canonical === null || canonical.url === null) return [];
    const [named, own] = [new URL(canonical.url), new URL(page.outcome.url)];
    if (named.origin !== own.origin || named.pathname !== '/' || own.pathname === '/') return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `${own.pathname} names the start page as its original.`,
        code: `<link rel="canonical" href="${html(own.origin + own.pathname)}">`,
      },
    ];
  },
};
