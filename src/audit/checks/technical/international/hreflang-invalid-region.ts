import { hasHreflang } from '../../applies.ts';
import { type Fault, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf, isCountry } from '../../lookups/language/hreflangs.ts';
import { alternateCorrected } from '../../lookups/language/languageCode.ts';

export const hreflangInvalidRegion = pageCheck({
  id: 'hreflang-invalid-region',
  title: 'hreflang uses an invalid region code',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'People in the country you mean get their own version.',
  timeToResult: '2-6 weeks',
  risk: 'An hreflang link has a country code that doesn’t exist or stands for a different country, so the page isn’t shown to the people it’s for.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, use the two-letter ISO 3166-1 code of the country. The United Kingdom is `GB`, not `UK`.',
    'For a region that has no code of its own, such as Europe or Latin America, use the language alone, or list each country.',
    'Make the same change on every version that lists this page.',
    'View the page source of each version and make sure the code that this report names is gone.',
  ],
  example: {
    before: '<link rel="alternate" hreflang="en-UK" href="YOUR UK PAGE">',
    after: '<link rel="alternate" hreflang="en-GB" href="YOUR UK PAGE">',
  },
  tags: ['hreflang'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: hasHreflang,
  run: (page) =>
    hreflangsOf(page).flatMap((version): readonly Fault[] => {
      const { hreflang, place, href } = version;
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
      return [{ evidence, message, snippet: alternateCorrected(page, version) }];
    }),
});

/** Nobody writes Spanish or Portuguese for Laos. */
const isMeantAsLatinAmerica = (hreflang: string): boolean => /^(?:es|pt)-la$/i.test(hreflang.trim());
