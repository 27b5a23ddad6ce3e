import { hasCanonical, hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';
import { isDistinct } from '../../lookups/siteFacts.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalOtherLanguage = pageCheck({
  id: 'canonical-other-language',
  title: 'Canonical points to another language version',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Each language version can rank in its market.',
  timeToResult: '2-6 weeks',
  risk: 'The page asks to be replaced by a version in another language.',
  steps: ['Use a self-canonical per language.'],
  example: null,
  tags: ['canonical', 'hreflang'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: (page) => hasCanonical(page) && hasHreflang(page),
  run: (page, site) => {
    const canonical = canonicalOf(page);
    const listed = new Set(hreflangsOf(page).map(({ url }) => url));
    if (
      canonical === null ||
      canonical.url === page.outcome.url ||
      !listed.has(canonical.url) ||
      !listed.has(page.outcome.url)
    )
      return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `The canonical address ${canonical.href} is another language version of this page.`,
        snippet: isDistinct(page, site) ? canonicalSet(page, canonical.place, page.outcome.url) : null,
      },
    ];
  },
});
