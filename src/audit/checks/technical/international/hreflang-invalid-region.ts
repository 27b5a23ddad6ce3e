import { hasHreflang } from '../../applies.ts';
import { type Fault, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf, isCountry } from '../../lookups/language/hreflangs.ts';
import { alternateCorrected } from '../../lookups/language/languageCode.ts';

export const hreflangInvalidRegion = pageCheck({
  id: 'hreflang-invalid-region',
  title: 'hreflang uses a wrong region code',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Country targeting works.',
  timeToResult: '2-6 weeks',
  risk: 'Unknown regions are ignored.',
  steps: ['Use GB instead of UK and drop EU.'],
  example: { before: null, after: 'hreflang="en-GB"' },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: hasHreflang,
  run: (page) =>
    hreflangsOf(page).flatMap(({ hreflang, place, href }): readonly Fault[] => {
      const region = hreflang
        .split('-')
        .slice(1)
        .find((part) => /^[A-Za-z]{2}$/.test(part));
      if (region === undefined) return [];
      const evidence = seen(page, place, `${hreflang}: ${href}`);
      if (isMeantAsLatinAmerica(hreflang))
        return [
          {
            evidence,
            message: `"${region}" in "${hreflang}" is Laos. Latin America has no country code: name the language alone, or each country.`,
            impact: 'low',
          },
        ];
      if (isCountry(region)) return [];
      const hint = region.toUpperCase() === 'UK' ? ' Great Britain is GB.' : '';
      const message = `"${region}" in "${hreflang}" isn’t a country code.${hint}`;
      return [{ evidence, message, snippet: alternateCorrected(hreflang, href, place) }];
    }),
});

/** Nobody writes Spanish or Portuguese for Laos. */
const isMeantAsLatinAmerica = (hreflang: string): boolean => /^(?:es|pt)-la$/i.test(hreflang.trim());
