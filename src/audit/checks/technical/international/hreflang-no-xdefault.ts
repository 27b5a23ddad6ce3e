import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isSelfCanonical } from '../../lookups/canonicals.ts';
import { hreflangsOf } from '../../lookups/language/hreflangs.ts';

export const hreflangNoXdefault = pageCheck({
  id: 'hreflang-no-xdefault',
  title: 'hreflang has no x-default',
  category: 'technical',
  group: 'international',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Visitors from everywhere else land on the version you choose for them.',
  timeToResult: '2-6 weeks',
  risk: 'The page’s hreflang links don’t say which version is for people whose language or country isn’t listed (x-default), so search engines pick one for them.',
  steps: [
    'Decide which page people should get who speak none of your languages: a language selector, or the version most people understand.',
    'In your SEO or translation plugin’s settings, choose it as the default (x-default). If you edit the template instead, have it add `<link rel="alternate" hreflang="x-default" href="YOUR DEFAULT PAGE">` with the full URL of each page’s own default version. Don’t type one URL, such as the home page’s, for the whole site.',
    'View the source of each version of this page and make sure the x-default link appears there once, with the same URL. Then look at another page and make sure its x-default link leads to that page’s default version, or to your language selector.',
  ],
  // No code is written: which version is for everybody else is the owner’s choice.
  example: { before: null, after: '<link rel="alternate" hreflang="x-default" href="YOUR DEFAULT PAGE">' },
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
