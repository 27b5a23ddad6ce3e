import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf, isLanguage } from '../../lookups/language/hreflangs.ts';
import { alternateCorrected } from '../../lookups/language/languageCode.ts';

export const hreflangInvalidCode = pageCheck({
  id: 'hreflang-invalid-code',
  title: 'hreflang uses a wrong language code',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The right market sees the right language.',
  timeToResult: '2-6 weeks',
  risk: 'A code nobody knows is ignored.',
  steps: ['Use ISO 639-1 language plus optional ISO 3166 region.'],
  example: { before: null, after: '<link rel="alternate" hreflang="en-GB" href="https://example.com/uk/">' },
  tags: ['hreflang'],
  source: 'Lighthouse: hreflang',
  lighthouse: 'hreflang',
  appliesTo: hasHreflang,
  run: (page) =>
    hreflangsOf(page).flatMap(({ hreflang, place, href }) => {
      const [language = ''] = hreflang.split('-', 1);
      if (hreflang.toLowerCase() === 'x-default' || isLanguage(language)) return [];
      return [
        {
          evidence: seen(page, place, `${hreflang}: ${href}`),
          message: `"${hreflang}" begins with "${language}", which isn’t a language code.`,
          snippet: alternateCorrected(hreflang, href, place),
        },
      ];
    }),
});
