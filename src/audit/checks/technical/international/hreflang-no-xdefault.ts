import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isSelfCanonical } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';

export const hreflangNoXdefault = pageCheck({
  id: 'hreflang-no-xdefault',
  title: 'No default version for other languages',
  category: 'technical',
  group: 'international',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Visitors of other languages land on a sensible page.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines must guess the fallback.',
  steps: ['Add an x-default link.'],
  example: { before: null, after: '<link rel="alternate" hreflang="x-default" href="https://example.com/">' },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: (page) => htmlPage(page) && isSelfCanonical(page) && hreflangsOf(page).length >= 2,
  run: (page) => {
    const versions = hreflangsOf(page);
    if (versions.some(({ hreflang }) => hreflang.toLowerCase() === 'x-default')) return [];
    return [
      {
        evidence: seen(page, 'link[hreflang]', versions.map(({ hreflang }) => hreflang).join(', ')),
        message: `${versions.length} language versions and none for everyone else.`,
      },
    ];
  },
});
