import { hasHreflang } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hreflangsOf, isLanguage } from '../../lookups/language/hreflangs.ts';
import { alternateCorrected } from '../../lookups/language/languageCode.ts';

export const hreflangInvalidCode = pageCheck({
  id: 'hreflang-invalid-code',
  title: 'hreflang uses an invalid language code',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The page can be shown to people who search in its language.',
  timeToResult: '2-6 weeks',
  risk: 'An hreflang link on this page starts with a language code that doesn’t exist, so search engines ignore the link.',
  steps: [
    'In your SEO or translation plugin’s settings or in the template, start the hreflang value with an ISO 639-1 language code, such as `en`, `de`, or `ja`.',
    'Add an ISO 3166-1 country code only if the page is meant for one country: `en-GB`.',
    'Don’t use a country code as the language: Japanese is `ja`, not `jp`, and Chinese is `zh`, not `cn`.',
    'View the page source and make sure every hreflang value starts with a language code or is `x-default`.',
  ],
  example: {
    before: '<link rel="alternate" hreflang="jp" href="YOUR JAPANESE PAGE">',
    after: '<link rel="alternate" hreflang="ja" href="YOUR JAPANESE PAGE">',
  },
  tags: ['hreflang'],
  source: 'Lighthouse: hreflang',
  lighthouse: 'hreflang',
  appliesTo: hasHreflang,
  run: (page) =>
    hreflangsOf(page).flatMap((version) => {
      const { hreflang, place, href } = version;
      const [language = ''] = hreflang.split('-', 1);
      if (hreflang.toLowerCase() === 'x-default' || isLanguage(language)) return [];
      return [
        {
          evidence: seen(page, place, `${hreflang}: ${href}`),
          message: `"${hreflang}" begins with "${language}", which isn’t a language code.`,
          snippet: alternateCorrected(page, version),
        },
      ];
    }),
});
